import { createHash } from 'node:crypto'

/** The style of a book, which stands in it, so that it needs nothing else. */
export const bookStyle = `
:root { --text: #16181d; --quiet: #50545e; --page: #fff; color-scheme: light dark;
  font: 1rem/1.5 Georgia, "Noto Serif", "Times New Roman", serif; color: var(--text); background: var(--page); }
@media screen and (prefers-color-scheme: dark) { :root { --text: #e8eaf0; --quiet: #a5abb8; --page: #0d1016; } }
* { margin: 0; padding: 0; box-sizing: border-box; }
body { max-inline-size: 46rem; margin-inline: auto; padding: 1.5rem 1rem; overflow-wrap: anywhere; }
a { color: inherit; }
h1 { font-size: 2.2rem; line-height: 1.2; }
h2 { font-size: 1.5rem; margin-block: 2.5rem 0.75rem; }
h3 { font-size: 1.15rem; line-height: 1.3; }
p, ul, ol { margin-block: 0.4rem; }
ul, ol { padding-inline-start: 1.5rem; }
.cover { padding-block: 4rem 3rem; text-align: center; }
.cover p { font-size: 1.15rem; }
.contents ol, .index ul { list-style: none; padding: 0; }
.contents li li { display: grid; grid-template-columns: 4rem minmax(0, 1fr); }
.contents > ol > li { margin-block-start: 1rem; }
.quiet { color: var(--quiet); }
.number { font-weight: bold; font-variant-numeric: tabular-nums; }
.abstract { margin-block: 1.75rem; }
.abstract .prose { text-align: start; hyphens: auto; }
.abstract sup { line-height: 1; font-size: 0.7em; }
.prose ul { padding-inline-start: 1.2rem; }
.formula { display: inline-block; max-inline-size: 100%; overflow-x: auto; vertical-align: middle; }
.formula.block { display: block; text-align: center; }
.index ul { columns: 16rem; column-gap: 2rem; font-size: 0.9rem; }
.index li { break-inside: avoid; padding-inline-start: 1rem; text-indent: -1rem; }
@page { size: A4; margin: 20mm 18mm; @bottom-center { content: counter(page); font: 9pt Georgia, serif; } }
@page :first { @bottom-center { content: none; } }
@media print {
  :root { font-size: 10pt; line-height: 1.4; color-scheme: light; }
  body { max-inline-size: none; padding: 0; }
  a { text-decoration: none; }
  .cover { block-size: 240mm; display: grid; align-content: center; padding: 0; break-after: page; }
  .contents, .index { break-before: page; }
  .contents { break-before: auto; break-after: page; }
  .session { break-after: auto; }
  h2, .session > header, .abstract > header, .heading { break-after: avoid; }
  .abstract > header, .contents li li, .index li { break-inside: avoid; }
  p { orphans: 3; widows: 3; }
  .formula { overflow: visible; }
}
`

/** The one style that a browser takes in a book. */
export const bookPolicy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(bookStyle).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
