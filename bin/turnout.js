#!/usr/bin/env node
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findNode, handOver } from './hand-over.js'

const { execArgv, versions } = process
const program = fileURLToPath(import.meta.url)
const root = dirname(dirname(program))
const oldest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).engines.node.slice('>='.length)

/** The unit of systemd has the same setting: contrib/turnout.service gives the reason. */
const YOUNG = '--max-semi-space-size=16'

if (isNewEnough(versions.node)) start()
else startOnOther(findNode(isNewEnough))

function start() {
  const bundle = join(root, 'dist', 'package.cjs')
  if (existsSync(bundle)) createRequire(import.meta.url)(bundle)
  else fail('Turnout is not built yet: run "npm run build" first.')
}

function startOnOther(node) {
  if (node === undefined) return fail(explainNode())
  handOver(node, [YOUNG, ...execArgv, program, ...process.argv.slice(2)], {
    onFailure: error => {
      fail(`${node} cannot be started (${error.message}). ${explainNode()}`)
      process.exit()
    },
  })
}

function isNewEnough(version) {
  const [major, minor] = version.split('.').map(Number)
  const [oldestMajor, oldestMinor = 0] = oldest.split('.').map(Number)
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)
}

function fail(sentence) {
  process.stderr.write(`error: ${sentence}\n`)
  process.exitCode = 1
}

function explainNode() {
  const remedy = existsSync(join(root, 'build', 'node'))
    ? 'Run "npm ci", which brings one for this folder, or install one from https://nodejs.org.'
    : 'Install a newer one from https://nodejs.org.'
  return `Turnout needs Node ${oldest} or newer, and this is Node ${versions.node}. ${remedy}`
}
