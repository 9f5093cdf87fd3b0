import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { dist } from '../deliver.mjs'
import { fullDisk, isFullDisk, Refusal } from '../nodes.mjs'
import { licensed } from '../sbom.mjs'

// What of Debian an executable needs to run: its C and C++ libraries, from Debian's own packages. apt fetches them, and holds them against
// Debian's signatures.

const needed = ['base-files', 'libc6', 'libgcc-s1', 'libstdc++6']

/**
 * @param {{ architecture: string, triplet: string, folder?: string, work: string }} options folder has the packages, which apt fetches
 *   otherwise
 * @returns {{ entries: import('../archives.mjs').Entry[], components: object[] }} the files, and what they are
 * @throws {Refusal}
 */
export function readDebian({ architecture, triplet, folder, work }) {
  const from = folder === undefined ? fetchPackages(architecture, work) : resolve(folder)
  const packages = readPackages(from, architecture, work)
  const entries = packages.flatMap(each => [
    ...entriesOf(each, triplet),
    // Programs that look for known faults read here what there is.
    { path: `var/lib/dpkg/status.d/${each.name}`, mode: 0o644, content: each.control },
  ])
  return { entries: [...entries, ...links], components: packages.map(componentOf) }
}

/** Packages of before and after the merge of /usr look the same then. */
const links = [
  { path: 'lib', mode: 0o777, link: 'usr/lib' },
  { path: 'lib64', mode: 0o777, link: 'usr/lib64' },
]

/**
 * Fetches them, and keeps them in dist too, so that the same image can be made again.
 *
 * @returns {string} the folder that has them
 * @throws {Refusal}
 */
export function fetchPackages(architecture, work) {
  // apt runs in another folder.
  const state = resolve(work, 'apt')
  for (const name of ['lists/partial', 'archives/partial', 'packages'])
    mkdirSync(join(state, name), { recursive: true })
  writeFileSync(join(state, 'status'), '')
  // This machine may be of another architecture, and what is installed on it does not matter.
  writeFileSync(
    join(state, 'apt.conf'),
    `APT::Architecture "${architecture}";
APT::Architectures { "${architecture}"; };
APT::Sandbox::User "root";
Dir::State "${state}";
Dir::State::status "${join(state, 'status')}";
Dir::Cache "${state}";
Acquire::Languages "none";
`,
  )
  const into = join(state, 'packages')
  const apt = (...args) => {
    const env = { ...process.env, APT_CONFIG: join(state, 'apt.conf'), LC_ALL: 'C' }
    const { status, stderr, error } = spawnSync('apt-get', args, { cwd: into, encoding: 'utf8', env })
    if (error !== undefined)
      throw new Refusal(
        `apt-get cannot be started (${error.code}): the image has libraries of Debian, so it is made on Debian.`,
      )
    const said = /^E: (.*)$/m.exec(stderr)?.[1]
    if (isFullDisk(stderr)) throw fullDisk(into)
    const reason = said ?? (status === 0 ? undefined : `exit status ${status}`)
    if (reason === undefined) return
    throw new Refusal(
      `apt-get cannot fetch the packages of Debian (${reason}). Try again where it reaches them, or name the folder of an earlier build: --packages ${relative('.', keptFor(architecture))}`,
    )
  }
  // A list that is not renewed is no error of apt's own.
  apt('update', '-q', '--error-on=any')
  apt('download', '-q', ...needed)
  const base = baseOfGcc(into)
  apt('download', '-q', base)
  const kept = keptFor(architecture)
  const next = `${kept}.${process.pid}`
  mkdirSync(next, { recursive: true })
  try {
    for (const name of readdirSync(into)) copyFileSync(join(into, name), join(next, name))
    rmSync(kept, { recursive: true, force: true })
    renameSync(next, kept)
  } catch (error) {
    // Another build has kept the same meanwhile.
    if (error.code !== 'ENOTEMPTY') throw error
  } finally {
    rmSync(next, { recursive: true, force: true })
  }
  return into
}

function keptFor(architecture) {
  return join(dist, `debian-${architecture}`)
}

/** The licence of the libraries of GCC is in a package whose name has its version. */
function baseOfGcc(folder) {
  const library = readdirSync(folder).find(name => name.startsWith('libgcc-s1_'))
  return /gcc-\d+-base/.exec(field(join(folder, library), 'Depends'))[0]
}

function field(path, ...names) {
  return dpkgDeb('-f', path, ...names).trim()
}

function dpkgDeb(...args) {
  const { status, stdout, stderr, error } = spawnSync('dpkg-deb', args, { encoding: 'utf8' })
  if (error !== undefined)
    throw new Refusal(
      `dpkg-deb cannot be started (${error.code}): the image has libraries of Debian, so it is made on Debian.`,
    )
  if (isFullDisk(stderr)) throw fullDisk(args.at(-1))
  if (status !== 0)
    throw new Refusal(`dpkg-deb cannot read a package of Debian: ${stderr.trim().split('\n')[0]}`)
  return stdout
}

/** @throws {Refusal} where one is missing, or is for other machines */
function readPackages(folder, architecture, work) {
  if (!existsSync(folder)) throw new Refusal(`There is no folder ${folder} with packages of Debian.`)
  const packages = readdirSync(folder)
    .filter(name => name.endsWith('.deb'))
    .sort()
    .map(file => {
      const path = join(folder, file)
      const [name, version, of] = ['Package', 'Version', 'Architecture'].map(each => field(path, each))
      if (of !== architecture && of !== 'all')
        throw new Refusal(`${path} is for ${of}, and the image for ${architecture}.`)
      const unpacked = join(work, `package-${name}`)
      dpkgDeb('-x', path, unpacked)
      return { name, version, architecture: of, control: dpkgDeb('-f', path), unpacked }
    })
  const names = packages.map(({ name }) => name)
  const missing = needed.filter(name => !names.includes(name))
  if (missing.length > 0) throw new Refusal(`${folder} lacks packages of Debian: ${missing.join(', ')}.`)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw new Refusal(`${folder} has ${twice} twice.`)
  return packages
}

/** Only what programs load, and licences: no shell, no other program. */
function entriesOf({ unpacked }, triplet) {
  const library = new RegExp(`^usr/lib(64)?/(${triplet}/)?[^/]+\\.so(\\.[^/]*)?$`)
  const isNeeded = path =>
    library.test(path) ||
    /^usr\/share\/(doc\/[^/]+(\/copyright)?|common-licenses\/[^/]+)$/.test(path) ||
    /^(usr\/lib|etc)\/os-release$|^etc\/debian_version$/.test(path)
  return readdirSync(unpacked, { recursive: true }).flatMap(name => {
    const path = join(unpacked, name)
    const found = lstatSync(path)
    const to = name.replace(/^lib(64)?\//, 'usr/lib$1/')
    if (found.isDirectory() || !isNeeded(to)) return []
    if (found.isSymbolicLink()) return [{ path: to, mode: 0o777, link: readlinkSync(path) }]
    return [{ path: to, mode: found.mode & 0o755, content: readFileSync(path) }]
  })
}

const licences = {
  'base-files': 'GPL-2.0-or-later',
  libc6: 'LGPL-2.1-or-later',
  'libgcc-s1': 'GPL-3.0-or-later WITH GCC-exception-3.1',
  'libstdc++6': 'GPL-3.0-or-later WITH GCC-exception-3.1',
}

function componentOf({ name, version, architecture }) {
  const purl = `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version)}?arch=${architecture}`
  return {
    ...{ type: 'library', 'bom-ref': purl, name, version },
    ...licensed(licences[name] ?? `see /usr/share/doc/${name}/copyright`),
    purl,
  }
}
