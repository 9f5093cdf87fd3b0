/** What XML 1.0 cannot contain, whether it is escaped or not (section 2.2). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

export const XML_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'

/** Escapes a text for the content of an element or an attribute in double quotes. */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(FORBIDDEN, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
