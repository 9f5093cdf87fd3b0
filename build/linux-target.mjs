import { parseArgs } from 'node:util'
import { thisTarget } from './bundle.mjs'
import { Refusal } from './nodes.mjs'

/** The machines that packages and images are made for, with Debian's names of them, and the name of their folder of libraries. */
export const linuxTargets = {
  'linux-x64': { architecture: 'amd64', triplet: 'x86_64-linux-gnu' },
  'linux-arm64': { architecture: 'arm64', triplet: 'aarch64-linux-gnu' },
}

/**
 * @param {string} script for an example
 * @param {Record<string, { type: 'string' }>} others flags beside --target
 * @returns {{ target: keyof typeof linuxTargets } & Record<string, string | undefined>}
 * @throws {Refusal} with a sentence for whoever typed it
 */
export function readLinuxTarget(script, others = {}) {
  const possible = Object.keys(linuxTargets).join(', ')
  const named = Object.keys(others).map(name => `--${name}`)
  let values
  try {
    ;({ values } = parseArgs({ options: { target: { type: 'string' }, ...others } }))
  } catch {
    const flags = ['--target', ...named].join(' and ')
    throw new Refusal(
      `This takes ${flags} alone, and --target takes ${possible}: npm run ${script} -- --target linux-arm64`,
    )
  }
  const { target = thisTarget() } = values
  if (Object.hasOwn(linuxTargets, target)) return { ...values, target }
  if (values.target === undefined) {
    throw new Refusal(`This machine is ${target}. Name the one that it is for: --target takes ${possible}.`)
  }
  throw new Refusal(`There is nothing for ${target || 'no machine'}: --target takes ${possible}.`)
}
