/** Bytes of tests in a process. More would leave one processor idle at the end of a run. */
const MOST = 90_000

/** These change a process for more than one test: hooks and mocks of a file. */
const CHANGES_PROCESS = /^(?:before|beforeEach|afterEach|mock\.\w+)\(/m

/** One test of these files may take a minute. A process that begins early ends before the others. */
const LONG = [
  'browser.test.ts',
  'test/durability/',
  'test/fuzz/worst-',
  'test/load/',
  'test/product/selling/payments/',
]

export interface TestFile {
  path: string
  text: string
}

/**
 * Groups the test files that share a process, in which their tests run one after the other. Loading a server takes a process a
 * second, and its first requests take longest: with a process for each file, a run would take nearly twice as long. Tests in the
 * browser share the browser too.
 *
 * @param files in the order of their paths, so that those of a folder come together
 * @returns the paths of each process, long ones first
 */
export function groupTests(files: readonly TestFile[]): string[][] {
  const groups: { kind: string; bytes: number; paths: string[] }[] = []
  for (const kind of [...LONG, '']) {
    for (const { path, text } of files) {
      if (kindOf(path) !== kind) continue
      if (CHANGES_PROCESS.test(text)) {
        groups.unshift({ kind: 'own', bytes: MOST, paths: [path] })
        continue
      }
      const last = groups.at(-1)
      if (last?.kind === kind && last.bytes + text.length <= MOST) {
        last.bytes += text.length
        last.paths.push(path)
      } else {
        groups.push({ kind, bytes: text.length, paths: [path] })
      }
    }
  }
  return groups.map(({ paths }) => paths)
}

function kindOf(path: string): string {
  return LONG.find(part => path.includes(part)) ?? ''
}
