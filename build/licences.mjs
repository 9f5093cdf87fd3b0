import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The licences of the packages in a bundle, as a comment: they ask to be in every copy.
 *
 * @param {readonly string[]} paths of what is inside
 * @param {string} root that they are relative to
 */
export function licencesOf(paths, root) {
  const folders = new Set(
    paths.flatMap(path => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []),
  )
  const parts = [...folders].sort().map(folder => licenceOf(join(root, folder)))
  return `/*\nThis program has these packages inside.\n\n${parts.join('\n\n').replaceAll('*/', '* /')}\n*/\n`
}

function licenceOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const texts = readdirSync(folder)
    .filter(file => /^(licen[cs]e|notice|copying)/i.test(file))
    .map(file => readFileSync(join(folder, file), 'utf8').trim())
  return [`${name} ${version} (${license})`, ...texts].join('\n\n')
}
