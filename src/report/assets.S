/* The files of the page, each followed by a zero byte. */
        .section .rodata
        .global hd_report_html, hd_report_css, hd_report_js, hd_report_dom_js, hd_report_chart_js
hd_report_html:
        .incbin "src/report/html/page.html"
        .byte 0
hd_report_css:
        .incbin "src/report/html/page.css"
        .byte 0
hd_report_dom_js:
        .incbin "src/report/html/dom.js"
        .byte 0
hd_report_chart_js:
        .incbin "src/report/html/chart.js"
        .byte 0
hd_report_js:
        .incbin "src/report/html/dom.js"
        .incbin "src/report/html/chart.js"
        .incbin "src/report/html/model.js"
        .incbin "src/report/html/lanes.js"
        .incbin "src/report/html/net.js"
        .incbin "src/report/html/page.js"
        .byte 0
        .section .note.GNU-stack,"",@progbits
