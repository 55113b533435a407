/* The names that user code calls: hd_NAME for every NAME that abi/redirect.def
 * redirects. They translate arguments and results; what an operation means is
 * in runtime/sync and its neighbours. */
#ifndef HD_RUNTIME_FACE_FACE_H
#define HD_RUNTIME_FACE_FACE_H

#define HD_FACE __attribute__((visibility("default")))

#endif
