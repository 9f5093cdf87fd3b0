import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { temporaryFolder } from './folder.ts'
import { type Picture, readPgm } from './qr-reader.ts'

const isInstalled = ['pdftoppm', 'pdftotext', 'pdfinfo'].every(
  program => spawnSync(program, ['-v']).error === undefined,
)

/** Poppler reads PDF: a program that did not make it. */
export const withoutPoppler = isInstalled ? false : 'Poppler is not installed (no pdftoppm in the path)'

/** A PDF as other programs read it. */
export class PdfFile {
  readonly #path: string

  constructor(t: TestContext, pdf: Buffer) {
    this.#path = join(temporaryFolder(t), 'file.pdf')
    writeFileSync(this.#path, pdf)
  }

  /** Returns the text of a page without the marks of direction that the reader adds. @param page from 1 on */
  text(page: number, ...options: string[]): string {
    const range = ['-f', String(page), '-l', String(page), '-enc', 'UTF-8']
    const text = run('pdftotext', ...range, ...options, this.#path, '-')
    return text.replace(/[\u202a-\u202e\u200e\u200f]/g, '')
  }

  info(): string {
    return run('pdfinfo', this.#path)
  }

  /** @param resolution dots to the inch */
  pictures(resolution: number): Picture[] {
    const prefix = `${this.#path}-${resolution}`
    run('pdftoppm', '-gray', '-r', String(resolution), this.#path, prefix)
    const folder = join(this.#path, '..')
    const names = readdirSync(folder).filter(name => name.startsWith(`file.pdf-${resolution}-`))
    return names.sort().map(name => readPgm(readFileSync(join(folder, name))))
  }
}

function run(program: string, ...args: string[]): string {
  return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}
