/**
 * A file, folder or link in an archive. Whatever the builder's machine has, it belongs to root unless it says otherwise, and all have one
 * date.
 *
 * @typedef {{ path: string, mode: number, content?: Buffer | string, link?: string, uid?: number }} Entry
 */

const BLOCK = 512

/**
 * Writes a tar archive (POSIX ustar). Folders that are above an entry and not in the list are made.
 *
 * @param {readonly Entry[]} entries paths without a slash at the beginning; those without content and link are folders
 * @param {{ date: number, prefix?: string }} options the date in seconds, and what each path begins with
 * @returns {Buffer} the same for the same entries, in whatever order they come
 */
export function writeTar(entries, { date, prefix = '' }) {
  const all = new Map()
  for (const entry of entries) {
    const parts = entry.path.split('/')
    for (let depth = 1; depth < parts.length; depth++) {
      const above = parts.slice(0, depth).join('/')
      if (!all.has(above)) all.set(above, { path: above, mode: 0o755 })
    }
    all.set(entry.path, entry)
  }
  const sorted = [...all.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
  const parts = prefix === '' ? [] : [header({ path: '', mode: 0o755 }, 0, { date, prefix })]
  for (const entry of sorted) {
    const content = Buffer.from(entry.content ?? '')
    parts.push(header(entry, content.length, { date, prefix }), content)
    parts.push(Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK))
  }
  parts.push(Buffer.alloc(2 * BLOCK))
  return Buffer.concat(parts)
}

function header({ path, mode, content, link, uid = 0 }, size, { date, prefix }) {
  const isFolder = content === undefined && link === undefined
  const block = Buffer.alloc(BLOCK)
  const [name, above] = splitPath(`${prefix}${path}${isFolder && path !== '' ? '/' : ''}`)
  const owner = uid === 0 ? 'root' : ''
  block.write(name, 0)
  const numbers = [
    [mode, 100, 7],
    [uid, 108, 7],
    [uid, 116, 7],
    [size, 124, 11],
    [date, 136, 11],
  ]
  for (const [number, at, digits] of numbers) block.write(number.toString(8).padStart(digits, '0'), at)
  block.write(' '.repeat(8), 148)
  block.write(isFolder ? '5' : link === undefined ? '0' : '2', 156)
  block.write(short(link ?? '', 100), 157)
  block.write('ustar\x0000', 257)
  block.write(owner, 265)
  block.write(owner, 297)
  block.write(above, 345)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return block
}

/** A path of more than 100 bytes is in two parts, which a slash joins. */
function splitPath(path) {
  if (Buffer.byteLength(path) <= 100) return [path, '']
  const at = path.indexOf('/', path.length - 101)
  return [short(path.slice(at + 1), 100), short(path.slice(0, at), 155)]
}

function short(text, most) {
  if (Buffer.byteLength(text) > most) throw new Error(`${text} is too long for an archive.`)
  return text
}

/**
 * Writes an archive of ar, as deb(5) has it.
 *
 * @param {readonly { name: string, content: Buffer }[]} members
 * @param {number} date in seconds
 */
export function writeAr(members, date) {
  const parts = [Buffer.from('!<arch>\n')]
  for (const { name, content } of members) {
    const fields = [name.padEnd(16), String(date).padEnd(12), '0     ', '0     ', '100644  ']
    parts.push(Buffer.from(`${fields.join('')}${String(content.length).padEnd(10)}\`\n`), content)
    if (content.length % 2 === 1) parts.push(Buffer.from('\n'))
  }
  return Buffer.concat(parts)
}

/**
 * Reads an archive of ar.
 *
 * @param {Buffer} archive
 * @returns {Map<string, Buffer>} the members by their names
 */
export function readAr(archive) {
  const members = new Map()
  for (let at = 8; at + 60 <= archive.length; ) {
    const name = archive.toString('latin1', at, at + 16).replace(/\/?\s*$/, '')
    const size = Number(archive.toString('latin1', at + 48, at + 58))
    members.set(name, archive.subarray(at + 60, at + 60 + size))
    at += 60 + size + (size % 2)
  }
  return members
}
