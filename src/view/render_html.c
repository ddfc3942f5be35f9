/* A page of drawings, and the style that they share with SVG files. */
#include "view/render.h"

/* Classes are looked up below .dodona, so that drawings can stand in any page. */
const char dd_svg_style[] =
    ".dodona{--paper:#fff;--ink:#1c2230;--soft:#6a7285;--line:#8a92a6;--label:#3b4458;"
    "--wrong:#d1242f;--gold:#1a7f37;--known:#0b63c5;--out:#8a6d00;"
    "font-family:system-ui,-apple-system,\"Segoe UI\",Roboto,\"Noto Sans\",\"Noto Sans Arabic\","
    "\"Noto Sans CJK SC\",sans-serif}\n"
    "@media (prefers-color-scheme:dark){.dodona{--paper:#12151c;--ink:#edf0f7;--soft:#929bb0;"
    "--line:#77809a;--label:#c5ccdc;--wrong:#ff7b72;--gold:#56d364;--known:#79b8ff;"
    "--out:#e3b341}}\n"
    ".dodona .paper{fill:var(--paper)}\n"
    ".dodona text{text-anchor:middle}\n"
    ".dodona .form{font-size:17px;font-weight:500;fill:var(--ink)}\n"
    ".dodona .tag{font-size:11px;fill:var(--soft)}\n"
    ".dodona .label{font-size:12px;fill:var(--label)}\n"
    ".dodona .legend{font-size:12px;fill:var(--label);text-anchor:start;direction:ltr}\n"
    ".dodona .line{fill:none;stroke:var(--line);stroke-width:1.5}\n"
    ".dodona .tip{fill:var(--line);stroke:none}\n"
    ".dodona .required .line{stroke:var(--known);stroke-width:2.5}\n"
    ".dodona .required .tip,.dodona .required .label{fill:var(--known)}\n"
    ".dodona .missing .line{stroke-dasharray:2 4}\n"
    ".dodona .wrong .line{stroke:var(--wrong);stroke-width:2}\n"
    ".dodona .wrong .tip,.dodona .wrong .label,.dodona .mislabelled .label{fill:var(--wrong)}\n"
    ".dodona .wrong .label,.dodona .mislabelled .label{font-weight:600}\n"
    ".dodona .gold .line{stroke:var(--gold);stroke-dasharray:6 4}\n"
    ".dodona .gold .tip,.dodona .gold .label{fill:var(--gold)}\n"
    ".dodona .forbidden .line{stroke:var(--out);stroke-dasharray:1.5 4}\n"
    ".dodona .forbidden .tip,.dodona .forbidden .label{fill:var(--out)}\n"
    ".dodona .token path{fill:none;stroke:var(--line)}\n"
    ".dodona .span path{fill:none;stroke:var(--known);stroke-width:1.5}\n"
    ".dodona .span .label{fill:var(--known)}\n";

const char dd_html_head[] =
    "<!DOCTYPE html>\n"
    "<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n"
    "<head>\n"
    "<meta charset=\"utf-8\"/>\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
    "<meta name=\"color-scheme\" content=\"light dark\"/>\n"
    "<title>Dependency trees</title>\n"
    "<style>\n"
    "body{margin:0 auto;padding:24px;max-width:max-content;background:#f3f4f8;color:#4a5266;"
    "font:14px system-ui,-apple-system,\"Segoe UI\",Roboto,sans-serif}\n"
    "figure{margin:0 0 24px;background:#fff;border:1px solid #dde0e8;border-radius:10px;"
    "overflow-x:auto}\n"
    "figcaption{padding:10px 16px 0;color:#6a7285;font-size:13px}\n"
    "svg.dodona{display:block}\n"
    "@media (prefers-color-scheme:dark){body{background:#0b0d12}"
    "figure{background:#12151c;border-color:#262b38}figcaption{color:#929bb0}}\n";

const char dd_html_tail[] = "</body>\n</html>\n";

bool dd_render_html(dd_drawing *drawing)
{
    dd_buffer *out = &drawing->out;
    dd_text title = dd_picture_text(&drawing->picture, drawing->picture.title);
    bool ok = dd_buffer_text(out, drawing->picture.right_to_left ? "<figure dir=\"rtl\">\n"
                                                                 : "<figure>\n");
    if (ok && drawing->options.title)
        ok = dd_buffer_text(out, "<figcaption>") && dd_append_xml(out, title) &&
             dd_buffer_text(out, "</figcaption>\n");
    return ok && dd_render_svg(drawing) && dd_buffer_text(out, "</figure>\n");
}
