import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { writeTar } from './archives.mjs'
import { hashOf } from './deliver.mjs'
import { readDebian } from './image/debian-packages.mjs'
import { allLicences } from './licences.mjs'
import { linuxTargets } from './linux-target.mjs'
import { makeExecutable } from './make-executable.mjs'
import { componentOfNode, componentOfSqlite, componentsOfPackages } from './sbom.mjs'
import { requireSourceDate } from './source-date.mjs'

// Makes turnout_<version>_<architecture>.oci.tar, an image of the Open Container Initiative, of the executable and the libraries of
// Debian that it needs: https://github.com/opencontainers/image-spec. There is no shell in it.

const root = dirname(import.meta.dirname)
const { version, description, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
/** Is of nobody on the machines that run it, and not root. */
const USER = 10_001
const DATA = '/var/lib/turnout'
const CACHE = '/var/cache'
const MEDIA = 'application/vnd.oci.image'

/** How it is run. A host that is not this machine's own needs --behind-proxy or a certificate, and the program says so. */
const settings = {
  User: `${USER}:${USER}`,
  ExposedPorts: { '8080/tcp': {} },
  Env: [
    'PATH=/usr/bin',
    `TURNOUT_DATA=${DATA}`,
    'TURNOUT_HOST=0.0.0.0',
    `XDG_CACHE_HOME=${CACHE}`,
    // As in contrib/turnout.service.
    'NODE_OPTIONS=--max-semi-space-size=16',
  ],
  Entrypoint: ['/usr/bin/turnout'],
  Cmd: ['serve'],
  Volumes: { [DATA]: {} },
  WorkingDir: DATA,
  StopSignal: 'SIGTERM',
  // Docker reads it here; Kubernetes has probes of its own. In nanoseconds.
  Healthcheck: {
    Test: ['CMD', '/usr/bin/turnout', 'healthy'],
    Interval: 3e10,
    Timeout: 1e10,
    StartPeriod: 3e10,
    Retries: 3,
  },
}

/**
 * @param {keyof typeof linuxTargets} target
 * @param {string} work the folder that it is made in
 * @param {string} [folder] the packages of Debian, which apt fetches otherwise
 * @returns {Promise<{ path: string, components: object[] }>} where it is, and what is inside
 * @throws {import('./nodes.mjs').Refusal}
 */
export async function makeImage(target, work, folder) {
  const { architecture } = linuxTargets[target]
  const date = requireSourceDate()
  const debian = readDebian({ ...linuxTargets[target], folder, work })
  const made = await makeExecutable(target, work)
  const layers = [
    { about: 'Libraries of Debian', tar: writeTar([...debian.entries, ...settingsOfSystem()], { date }) },
    { about: `Turnout ${version}`, tar: writeTar(filesOf(made), { date }) },
  ]
  const path = join(work, `turnout_${version}_${architecture}.oci.tar`)
  writeFileSync(path, pack(layers, { architecture, date }))
  const own = [...componentsOfPackages(made.inputs), componentOfSqlite(), componentOfNode()]
  return { path, components: [...own, ...debian.components] }
}

/** @returns {import('./archives.mjs').Entry[]} what each system has, as small as it goes */
function settingsOfSystem() {
  const text = (path, content) => ({ path, mode: 0o644, content })
  return [
    text(
      'etc/passwd',
      `root:x:0:0:root:/nonexistent:/nonexistent\nturnout:x:${USER}:${USER}:Turnout:${DATA}:/nonexistent\n`,
    ),
    text('etc/group', `root:x:0:\nturnout:x:${USER}:\n`),
    text('etc/nsswitch.conf', 'passwd: files\ngroup: files\nhosts: files dns\n'),
    { path: 'tmp', mode: 0o1777 },
  ]
}

/** @returns {import('./archives.mjs').Entry[]} */
function filesOf({ path, addon, inputs }) {
  const own = { uid: USER }
  const prebuilds = join(
    dirname(createRequire(import.meta.url).resolve('better-sqlite3/package.json')),
    'prebuilds',
  )
  const sqlite = readFileSync(join(prebuilds, `${addon}.node`))
  // The root is read only, so SQLite is where the program would unpack it: see `src/machinery/db/sqlite/addon/native-binding.ts`.
  const cache = `${CACHE.slice(1)}/turnout`
  return [
    { path: 'usr/bin/turnout', mode: 0o755, content: readFileSync(path) },
    { path: 'usr/share/doc/turnout/copyright', mode: 0o644, content: readFileSync(join(root, 'LICENSE')) },
    {
      path: 'usr/share/doc/turnout/LICENSES.gz',
      mode: 0o644,
      content: gzipSync(allLicences(inputs, root), { level: 9 }),
    },
    { path: DATA.slice(1), mode: 0o700, ...own },
    { path: cache, mode: 0o700, ...own },
    {
      path: `${cache}/better_sqlite3-${hashOf(sqlite).slice(0, 16)}.node`,
      mode: 0o600,
      content: sqlite,
      ...own,
    },
  ]
}

function pack(layers, { architecture, date }) {
  const created = new Date(date * 1000).toISOString()
  const blobs = []
  const add = (mediaType, content) => {
    const digest = hashOf(content)
    blobs.push({ path: `blobs/sha256/${digest}`, mode: 0o644, content })
    return { mediaType, digest: `sha256:${digest}`, size: content.length }
  }
  const packed = layers.map(({ tar }) => add(`${MEDIA}.layer.v1.tar+gzip`, gzipSync(tar, { level: 9 })))
  const annotations = {
    'org.opencontainers.image.title': 'Turnout',
    'org.opencontainers.image.description': description,
    'org.opencontainers.image.version': version,
    'org.opencontainers.image.licenses': license,
    'org.opencontainers.image.created': created,
  }
  const config = add(
    `${MEDIA}.config.v1+json`,
    json({
      ...{ created, architecture, os: 'linux', config: { ...settings, Labels: annotations } },
      rootfs: { type: 'layers', diff_ids: layers.map(({ tar }) => `sha256:${hashOf(tar)}`) },
      history: layers.map(({ about }) => ({ created, created_by: about })),
    }),
  )
  const manifestType = `${MEDIA}.manifest.v1+json`
  const manifest = add(
    manifestType,
    json({ schemaVersion: 2, mediaType: manifestType, config, layers: packed, annotations }),
  )
  const index = {
    schemaVersion: 2,
    mediaType: `${MEDIA}.index.v1+json`,
    manifests: [
      {
        ...manifest,
        platform: { architecture, os: 'linux' },
        annotations: { 'org.opencontainers.image.ref.name': version },
      },
    ],
  }
  const pathOf = ({ digest }) => `blobs/sha256/${digest.slice('sha256:'.length)}`
  // Older versions of Docker load by this list.
  const ofDocker = [{ Config: pathOf(config), RepoTags: [`turnout:${version}`], Layers: packed.map(pathOf) }]
  const text = (path, content) => ({ path, mode: 0o644, content: json(content) })
  return writeTar(
    [
      ...blobs,
      text('oci-layout', { imageLayoutVersion: '1.0.0' }),
      text('index.json', index),
      text('manifest.json', ofDocker),
    ],
    { date },
  )
}

function json(value) {
  return Buffer.from(JSON.stringify(value))
}
