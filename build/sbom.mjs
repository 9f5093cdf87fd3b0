import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import SqliteConnection from 'better-sqlite3'
import { hashOf } from './deliver.mjs'
import { textsIn } from './licences.mjs'
import { findSourceDate } from './source-date.mjs'

const root = dirname(import.meta.dirname)
const readJson = path => JSON.parse(readFileSync(join(root, path), 'utf8'))

/**
 * Says what is in a file, in the form of CycloneDX 1.6 (https://cyclonedx.org/docs/1.6/json/).
 *
 * @param {Buffer} file
 * @param {{ type: 'application' | 'container', components: object[] }} about
 * @returns {string}
 */
export function describeParts(file, { type, components }) {
  const { name, version, description, license } = readJson('package.json')
  const sha256 = hashOf(file)
  const date = findSourceDate()
  const reference = `pkg:generic/${name}@${version}`
  // A package may be in two folders of npm.
  const once = new Map(components.map(each => [each['bom-ref'], each]))
  const sorted = [...once.values()].sort((a, b) => (a['bom-ref'] < b['bom-ref'] ? -1 : 1))
  const document = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(sha256)}`,
    version: 1,
    metadata: {
      ...(date === undefined ? {} : { timestamp: new Date(date * 1000).toISOString() }),
      component: {
        ...{ type, 'bom-ref': reference, name, version, description },
        hashes: [{ alg: 'SHA-256', content: sha256 }],
        ...licensed(license),
      },
    },
    components: sorted,
    dependencies: [{ ref: reference, dependsOn: sorted.map(each => each['bom-ref']) }],
  }
  return `${JSON.stringify(document, undefined, 2)}\n`
}

/** A number that the content alone decides, in the form of version 8 (RFC 9562). */
function uuidOf(sha256) {
  return `${sha256.slice(0, 8)}-${sha256.slice(8, 12)}-8${sha256.slice(13, 16)}-a${sha256.slice(17, 20)}-${sha256.slice(20, 32)}`
}

/**
 * Returns the packages that files come from.
 *
 * @param {Iterable<string>} paths of what is inside, relative to the project
 */
export function componentsOfPackages(paths) {
  const { packages } = readJson('package-lock.json')
  const folders = new Set(
    [...paths].flatMap(path => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []),
  )
  return [...folders].map(folder => {
    const { name, version, license, description } = readJson(join(folder, 'package.json'))
    const { integrity } = packages[folder] ?? {}
    const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
    return {
      ...{ type: 'library', 'bom-ref': purl, name, version, ...(description ? { description } : {}) },
      // That of the package as it is packed, as the lock file pins it.
      ...(integrity === undefined ? {} : { hashes: [{ alg: 'SHA-512', content: hexOf(integrity) }] }),
      ...licensed(license ?? nameInText(join(root, folder))),
      purl,
    }
  })
}

/** Names the licence of a package that says it by its text alone. */
function nameInText(folder) {
  const text = textsIn(folder).join('\n')
  return text.includes('Permission is hereby granted, free of charge, to any person obtaining a copy')
    ? 'MIT'
    : 'see its text'
}

function hexOf(integrity) {
  return Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex')
}

/** What is in the addon: better-sqlite3 has been found among the packages, as its program is inside too. */
export function componentOfSqlite() {
  const db = new SqliteConnection(':memory:')
  const version = db.prepare('SELECT sqlite_version()').pluck().get()
  db.close()
  const purl = `pkg:generic/sqlite@${version}`
  return { type: 'library', 'bom-ref': purl, name: 'sqlite', version, ...licensed('blessing'), purl }
}

/** Licences of what Node has inside, of those parts whose version it tells. */
const licencesInNode = {
  acorn: 'MIT',
  ada: 'MIT OR Apache-2.0',
  amaro: 'MIT',
  ares: 'MIT',
  brotli: 'MIT',
  cjs_module_lexer: 'MIT',
  cldr: 'Unicode-3.0',
  icu: 'Unicode-3.0',
  llhttp: 'MIT',
  merve: 'MIT',
  nbytes: 'MIT',
  ncrypto: 'MIT',
  nghttp2: 'MIT',
  nghttp3: 'MIT',
  ngtcp2: 'MIT',
  openssl: 'Apache-2.0',
  simdjson: 'MIT OR Apache-2.0',
  simdutf: 'MIT OR Apache-2.0',
  sqlite: 'blessing',
  tz: 'Public domain',
  undici: 'MIT',
  unicode: 'Unicode-3.0',
  uv: 'MIT',
  uvwasi: 'MIT',
  v8: 'BSD-3-Clause',
  zlib: 'Zlib',
  zstd: 'BSD-3-Clause OR GPL-2.0-only',
}

/** Returns Node with what it is made of. The Node that makes an executable is of the version that is inside. */
export function componentOfNode() {
  const { node, modules: _, ...parts } = process.versions
  const purl = `pkg:generic/node@${node}`
  return {
    ...{ type: 'platform', 'bom-ref': purl, name: 'node', version: node, ...licensed('MIT'), purl },
    components: Object.entries(parts)
      .filter(([name, of]) => name !== 'napi' && of !== '')
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, version]) => ({
        ...{ type: 'library', 'bom-ref': `${purl}#${name}`, name, version },
        ...licensed(licencesInNode[name]),
      })),
  }
}

/** @param {string | undefined} license an expression of SPDX, or other words */
export function licensed(license) {
  if (license === undefined) return {}
  const isExpression = /^[\w.()+-]+( (AND|OR|WITH) [\w.()+-]+)*$/.test(license)
  return { licenses: [isExpression ? { expression: license } : { license: { name: license } }] }
}
