import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Returns the licences of the packages in a bundle as a comment, because each licence asks to be in every copy. A text that several
 * packages have stands there once.
 *
 * @param {readonly string[]} paths of what is inside
 * @param {string} root that they are relative to
 */
export function licencesOf(paths, root) {
  const folders = new Set(
    paths.flatMap(path => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []),
  )
  const parts = [...folders].sort().map(folder => licenceOf(join(root, folder)))
  const first = new Map()
  const printed = parts.map(({ name, texts }) => {
    const own = texts.map(text => {
      const before = first.get(text)
      if (before === undefined) first.set(text, name)
      return before === undefined ? text : `(A licence that is, word for word, that of ${before}.)`
    })
    return [name, ...own].join('\n\n')
  })
  return `/*\nThis program has these packages inside.\n\n${printed.join('\n\n').replaceAll('*/', '* /')}\n*/\n`
}

/**
 * Returns the licences of all that is in an executable: those of the packages, and that of Node with its own parts.
 *
 * @param {readonly string[]} paths of what is inside
 * @param {string} root that they are relative to
 */
export function allLicences(paths, root) {
  const folder = join(root, 'node_modules', `node-${process.platform}-${process.arch}`)
  const ofPackages = licencesOf(paths, root)
    .replace(/^\/\*\n/, '')
    .replace(/\n\*\/\n$/, '')
  return `${ofPackages}\n\nThis program has Node.js inside, with this licence.\n\n${textsIn(folder).join('\n\n')}\n`
}

/** The licence of a package. What is compiled into it may have another one, in a folder of its own. */
function licenceOf(folder) {
  const {
    name,
    version,
    license = 'as its text says',
  } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const texts = ['.', 'codec'].flatMap(part => textsIn(join(folder, part)))
  return { name: `${name} ${version} (${license})`, texts }
}

/** @returns {string[]} the texts of licences in a folder */
export function textsIn(folder) {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter(file => /^(licen[cs]e|notice|copying)/i.test(file))
    .map(file => readFileSync(join(folder, file), 'utf8').trim())
}
