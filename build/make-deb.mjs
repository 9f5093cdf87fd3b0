import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { writeAr, writeTar } from './archives.mjs'
import { readCommands } from './commands.mjs'
import { makeCompletions } from './debian/completions.mjs'
import { makeManual } from './debian/manual.mjs'
import { makeSettings } from './debian/settings.mjs'
import { makeUnit } from './debian/unit.mjs'
import { allLicences } from './licences.mjs'
import { linuxTargets } from './linux-target.mjs'
import { makeExecutable } from './make-executable.mjs'
import { componentOfNode, componentOfSqlite, componentsOfPackages } from './sbom.mjs'
import { requireSourceDate } from './source-date.mjs'

// Makes turnout_<version>_<architecture>.deb: deb(5), https://www.debian.org/doc/debian-policy. Nothing of Debian is needed for it.

const root = dirname(import.meta.dirname)
const read = path => readFileSync(join(root, path), 'utf8')
const { version, description } = JSON.parse(read('package.json'))
const MAINTAINER = 'The Turnout authors <authors@turnout.invalid>'
const SETTINGS = 'etc/turnout/turnout.conf'
/** That of Node takes what the glibc of its own builders has, and SQLite a newer one. */
const DEPENDS =
  'adduser, debconf (>= 0.5) | debconf-2.0, libc6 (>= 2.34), libgcc-s1 (>= 3.0), libstdc++6 (>= 5)'

/**
 * @param {keyof typeof linuxTargets} target
 * @param {string} work the folder that it is made in
 * @returns {Promise<{ path: string, components: object[] }>} where it is, and what is inside
 * @throws {import('./nodes.mjs').Refusal}
 */
export async function makeDeb(target, work) {
  const { architecture } = linuxTargets[target]
  const date = requireSourceDate()
  const made = await makeExecutable(target, work)
  const path = join(work, `turnout_${version}_${architecture}.deb`)
  writeFileSync(path, pack(listFiles({ ...made, date }), { architecture, date }))
  return { path, components: [...componentsOfPackages(made.inputs), componentOfSqlite(), componentOfNode()] }
}

/** @returns {import('./archives.mjs').Entry[]} what is installed */
function listFiles({ path, inputs, date }) {
  const program = readCommands()
  const text = (path, content) => ({ path, mode: 0o644, content })
  return [
    { path: 'usr/bin/turnout', mode: 0o755, content: readFileSync(path) },
    text('usr/lib/systemd/system/turnout.service', makeUnit(read('contrib/turnout.service'))),
    // Passwords stand in it.
    { path: SETTINGS, mode: 0o600, content: makeSettings(program) },
    text('usr/share/man/man1/turnout.1.gz', compress(makeManual(program, { version, date }))),
    ...makeCompletions(program).map(({ path, content }) => text(path, content)),
    text('usr/share/doc/turnout/copyright', makeCopyright()),
    text('usr/share/doc/turnout/LICENSES.gz', compress(allLicences(inputs, root))),
    text('usr/share/doc/turnout/changelog.gz', compress(makeChangelog(date))),
    text('usr/share/doc/turnout/CHANGELOG.md.gz', compress(read('CHANGELOG.md'))),
    text('usr/share/lintian/overrides/turnout', read('build/debian/lintian-overrides')),
  ]
}

function pack(files, { architecture, date }) {
  const control = [
    { path: 'control', mode: 0o644, content: makeControl(files, architecture) },
    { path: 'conffiles', mode: 0o644, content: `/${SETTINGS}\n` },
    {
      path: 'md5sums',
      mode: 0o644,
      content: files
        .filter(({ path }) => path !== SETTINGS)
        .map(sumOf)
        .join(''),
    },
    { path: 'templates', mode: 0o644, content: read('build/debian/templates') },
    ...['postinst', 'prerm', 'postrm'].map(path => ({
      path,
      mode: 0o755,
      content: read(`build/debian/${path}`),
    })),
  ]
  return writeAr(
    [
      { name: 'debian-binary', content: Buffer.from('2.0\n') },
      { name: 'control.tar.gz', content: compress(writeTar(control, { date, prefix: './' })) },
      { name: 'data.tar.gz', content: compress(writeTar(files, { date, prefix: './' })) },
    ],
    date,
  )
}

function makeControl(files, architecture) {
  const size = files.reduce((total, { content }) => total + Math.ceil(content.length / 1024), 0)
  return `Package: turnout
Version: ${version}
Architecture: ${architecture}
Maintainer: ${MAINTAINER}
Installed-Size: ${size}
Depends: ${DEPENDS}
Section: web
Priority: optional
Description: event service that organizers run themselves
 ${description.replace(/(.{1,74})(?:\s|$)/g, '$1\n ').trimEnd()}
 .
 It registers and sells tickets without ever overselling, checks them in at
 the door, calls for abstracts and reports. The service listens on 127.0.0.1.
`
}

function sumOf({ path, content }) {
  return `${createHash('md5').update(content).digest('hex')}  ${path}\n`
}

function makeChangelog(date) {
  const day = new Date(date * 1000).toUTCString().replace('GMT', '+0000')
  return `turnout (${version}) stable; urgency=medium

  * What has changed is in /usr/share/doc/turnout/CHANGELOG.md.gz.

 -- ${MAINTAINER}  ${day}
`
}

function makeCopyright() {
  return `Turnout is made of its sources as docs/verify.md in them says. What else is inside, with the licence of each, is in
/usr/share/doc/turnout/LICENSES.gz.

${read('LICENSE')}`
}

function compress(content) {
  return gzipSync(content, { level: 9 })
}
