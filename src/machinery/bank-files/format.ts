const MARKS: readonly [mark: string, format: string][] = [
  ['%PDF', 'PDF'],
  ['\u001f\u008b', 'gzip'],
  ['{\\rtf', 'RTF'],
  [':20:', 'MT940'],
  ['{1:F01', 'MT940'],
  ['OFXHEADER', 'OFX'],
  ['!Type:', 'QIF'],
  ['!Account', 'QIF'],
  ['{"', 'JSON'],
  ['[{', 'JSON'],
]

/** In characters. A page may begin with this much of comments and white space before it says what it is. */
const LOOKED_AT = 2000

/**
 * Returns the common name of a format that is not CSV. Banks offer other formats beside CSV, or send a page that asks people to
 * sign in again.
 */
export function findOtherFormat(beginning: Uint8Array): string | undefined {
  // The removal also covers UTF-16, where every other byte is 0.
  const text = Buffer.from(beginning.subarray(0, LOOKED_AT)).toString('latin1').replaceAll('\0', '')
  const bare = text.replace(/^(?:\u00ef\u00bb\u00bf|\u00ff\u00fe|\u00fe\u00ff)/, '').trimStart()
  for (const [mark, format] of MARKS) if (bare.startsWith(mark)) return format
  if (/^<(!doctype html|html|head|body)\b/i.test(bare)) return 'HTML'
  if (/^<(\?xml|!--)/i.test(bare)) return /<html\b/i.test(bare) ? 'HTML' : 'XML'
  return undefined
}
