// This table has the texts that cost most to look at. Each is as long as its number of bytes.

/** A megabyte of one character or a few, as they stand in a JSON string, becomes this. */
export const worstTexts: Readonly<Record<string, [unit: string, start?: string, end?: string]>> = {
  'combining marks that change places': ['\u0301\u0316', 'a'],
  'combining marks that split in two': ['\u0344', 'a'],
  'letters that split in three': ['\ufb2c'],
  'syllables to put together': ['\u1100\u1161\u11a8'],
  'one family of emoji': ['\u{1f469}\u200d'],
  'letters beyond the first plane': ['\u{20731}'],
  'a letter that grows in lower case': ['\u0130'],
  'invisible characters': ['\u200b'],
  spaces: [' '],
  'spaces inside': [' ', 'a', 'a'],
  'white space of every width': ['\u2003\u3000\\t'],
  'equals signs': ['='],
  'quotes, which double in JSON': ['\\"'],
  backslashes: ['\\\\'],
  'escaped letters': ['\\u0041'],
  'lone surrogates': ['\\ud800'],
  'NUL characters': ['\\u0000'],
  'control characters': ['\\u0007'],
  digits: ['7'],
  letters: ['a'],
  hyphens: ['-'],
  'commas and brackets': [',[{:'],
  'percent signs': ['%'],
  'percent-encoded letters': ['%61'],
  'at signs': ['@'],
  'labels of an e-mail': ['a.', 'a@'],
  'hyphens of an e-mail': ['a-', 'a@'],
  'names of an e-mail': ['a@a.'],
  'the letters of a ticket': ['A', 'SVC1.'],
  'the digits of an id': ['0', '0197a0b4-3c5e-7d21-9f10-'],
  'numbers of an instant': ['0', '2026-12-01T09:00:00.'],
  'letters of a cursor': ['A_'],
  'numbers of an address': ['1.'],
  'groups of an address': ['0:'],
}

/** Returns a text that takes `size` bytes as JSON, with its quotes. */
export function worstText(kind: string, size: number): string {
  const [unit, start = '', end = ''] = worstTexts[kind] as [string, string?, string?]
  return `"${start}${repeat(unit, size - Buffer.byteLength(start + end) - 2)}${end}"`
}

/** Make JSON of any type, of about `size` bytes. */
export const worstValues: Readonly<Record<string, (size: number) => string>> = {
  ...Object.fromEntries(Object.keys(worstTexts).map(kind => [kind, (size: number) => worstText(kind, size)])),
  'a number of a million digits': size => repeat('9', size),
  'a fraction of a million digits': size => `0.${repeat('1', size - 2)}`,
  'an exponent of a million digits': size => `1e${repeat('1', size - 2)}`,
  'a list of numbers': size => `[${repeat('0,', size - 3)}0]`,
  'a list of empty texts': size => `["",${repeat('"",', size - 8)}""]`,
  'a list of empty lists': size => `[${repeat('[],', size - 4)}[]]`,
  'a list of empty objects': size => `[${repeat('{},', size - 4)}{}]`,
  'a list of objects that are all different': size => `[${list(size - 2, at => `{"${name(at)}":0}`)}]`,
  'a list of texts that are all different': size => `[${list(size - 2, at => `"${name(at)}"`)}]`,
  // Their hash is their number in some versions of the engine: CVE-2026-21717.
  'a list of numbers in quotes': size => `[${list(size - 2, at => `"${(at * 128) % 16_777_216}"`)}]`,
  'lists in lists': size => repeat('[', size / 2) + repeat(']', size / 2),
  'objects in objects': size => `${repeat('{"a":', size - size / 6)}0${repeat('}', size / 6 - 1)}`,
  'prototypes of prototypes': size =>
    `${repeat('{"__proto__":', size - size / 14)}0${repeat('}', size / 14 - 1)}`,
  'an object of many keys': size => `{${list(size - 2, at => `"${name(at)}":0`)}}`,
  'an object of many texts': size => `{${list(size - 2, at => `"${name(at)}":""`)}}`,
  'an object of numbers as keys': size => `{${list(size - 2, at => `"${at}":0`)}}`,
  'an object of numbers far apart': size => `{${list(size - 2, at => `"${4_294_967_000 - at * 60_000}":0`)}}`,
  'an object of one key, many times': size => `{${repeat('"a":0,', size - 8)}"a":0}`,
  'an object of one prototype, many times': size => `{${repeat('"__proto__":{},', size - 20)}"a":0}`,
  'an object of one long key': size => `{${worstText('letters', size - 4)}:0}`,
  'an object of one long key of marks': size =>
    `{${worstText('combining marks that change places', size - 4)}:0}`,
}

/** Make complete bodies of `size` bytes, most of which are no JSON. */
export const worstBodies: Readonly<Record<string, (size: number) => string | Buffer>> = {
  'lists that do not end': size => repeat('[', size),
  'objects that do not end': size => repeat('{"a":', size),
  'a text that does not end': size => `"${repeat('a', size - 1)}`,
  'escapes that do not end': size => `"${repeat('\\', size - 1)}`,
  'keys that do not end': size => `{${list(size - 1, at => `"${name(at)}":0`)}`,
  'numbers without a comma': size => repeat('0 ', size),
  commas: size => repeat(',', size),
  quotes: size => repeat('"', size),
  'white space': size => repeat(' \n\t', size),
  'bytes that are no text': size => Buffer.alloc(size, 0xff),
  'a text with a byte that is none at its end': size =>
    Buffer.from(`"${repeat('a', size - 3)}\u00ff"`, 'latin1'),
}

/** Make complete query strings of `size` bytes. */
export const worstQueries: Readonly<Record<string, (size: number) => string>> = {
  'one parameter, many times': size => repeat('a&', size),
  'many parameters': size => list(size, at => name(at)).replaceAll(',', '&'),
  'many prototypes': size => repeat('__proto__&', size),
  'many escapes': size => repeat('%61=%61&', size),
  'nothing but &': size => repeat('&', size),
  'nothing but =': size => repeat('=', size),
  'nothing but +': size => repeat('+', size),
  'nothing but ?': size => repeat('?', size),
  'nothing but %': size => repeat('%', size),
}

const startsOfHeaders = [
  '',
  'Bearer ',
  'Bearer a',
  'application/json',
  'application/json;charset="',
  'gzip;q=',
]
const unitsOfHeaders = [
  ...[' ', ',', ';', ', ', 'a', 'a,', 'a;', '*,', 'gzip;q=0.5,', '"', '=', '/', '-', '%'],
  ...['127.0.0.1,', '127.0.0.1, ', '::1,', ':', '1.', '0:', '::ffff:7f00:1,'],
]

/** Returns values of headers, of about `size` bytes. */
export function worstHeaders(size: number): string[] {
  return startsOfHeaders.flatMap(start => unitsOfHeaders.map(unit => `${start}${repeat(unit, size)}a`))
}

function name(at: number): string {
  return at.toString(36)
}

function repeat(unit: string, bytes: number): string {
  return unit.repeat(Math.max(0, Math.floor(bytes / Buffer.byteLength(unit))))
}

function list(bytes: number, make: (at: number) => string): string {
  const items: string[] = []
  for (let at = 0, length = 0; ; at++) {
    const item = make(at)
    length += item.length + 1
    if (length > bytes) return items.join(',')
    items.push(item)
  }
}
