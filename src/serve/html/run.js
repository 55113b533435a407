/* What the page of a run has besides when a server sends it: the way back, and a button that replays a finding. */
import { post } from "./common.js";

document.getElementById("tools").prepend(element("a", { href: "./" }, "all runs"));

const about = document.getElementById("about");

/* The page fills the box anew for each finding; the button comes back then. */
const addButton = () => {
  const command = [...about.querySelectorAll("code")].find((code) => code.textContent.startsWith("heddle replay "));
  if (!command || about.querySelector(".replay"))
    return;
  const button = element("button", { type: "button", cls: "copy replay" }, "replay now");
  button.addEventListener("click", async () => {
    button.disabled = true;
    let text;
    try {
      const { status, output, cut } = JSON.parse(await post("api/replay", { file: command.textContent.slice("heddle replay ".length) }));
      text = `${output}${cut ? "(cut)\n" : ""}heddle replay: status ${status}, ${status === 1 ? "it happened again" : status === 0 ? "it did not happen" : "it could not be replayed"}`;
    } catch (error) {
      text = error.message;
    }
    about.querySelector(".replayed")?.remove();
    about.append(element("pre", { cls: "replayed" }, text));
    button.disabled = false;
  });
  command.parentElement.append(button);
};

new MutationObserver(addButton).observe(about, { childList: true });
addButton();
