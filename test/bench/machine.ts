import { execFileSync } from 'node:child_process'
import { availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os'
import { openSqliteFile } from '#machinery/db/sqlite/addon/open-file.ts'
import type { Settings } from './measures.ts'

/**
 * Describes in sentences what a run was made by, on and with, because its figures mean nothing without it.
 *
 * @param folder where the databases are, whose file system decides how long a commit takes
 */
export function describeRun(folder: string, size: number, { rounds, seconds }: Settings): string {
  const command = ['npm run bench --', ...process.argv.slice(2)].join(' ')
  const today = new Date().toISOString().slice(0, 10)
  const memory = (totalmem() / 2 ** 30).toFixed(1)
  const sentences = [
    `The machine has ${availableParallelism()} cores (${cpus()[0]?.model.trim()}) and ${memory} GiB of memory, and runs ${type()} ${release()}.`,
    `The databases were on ${fileSystemOf(folder)}.`,
    `Everything ran on Node ${process.versions.node} with SQLite ${sqliteVersion()}.`,
    `The load average of the machine was ${loadavg()[0]?.toFixed(1)} when the measuring began.`,
    `The database had ${size.toLocaleString('en')} registrations, and there were ${rounds} rounds of ${seconds} s.`,
  ]
  return `This command wrote the table on ${today}:\n\n\`\`\`sh\n${command}\n\`\`\`\n\n${sentences.join('\n')}\n`
}

/** Returns the kind of the file system, such as ext4. */
function fileSystemOf(folder: string): string {
  return execFileSync('df', ['--output=fstype', folder], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .at(-1) as string
}

function sqliteVersion(): string {
  const sqlite = openSqliteFile(':memory:')
  const version = sqlite.prepare('SELECT sqlite_version()').pluck().get() as string
  sqlite.close()
  return version
}
