#!/usr/bin/env node
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const bundle = fileURLToPath(new URL('../dist/package.cjs', import.meta.url))
if (existsSync(bundle)) {
  createRequire(import.meta.url)(bundle)
} else {
  process.stderr.write('error: Turnout is not built yet: run "npm run build" first.\n')
  process.exitCode = 1
}
