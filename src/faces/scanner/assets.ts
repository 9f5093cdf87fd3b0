/** The bundle contains this JSON, which `build/door-page.mjs` makes. The sources build it at the first request. */
declare const DOOR_FILES: string | undefined

/** The scanner's page consists of such files. */
export interface DoorFile {
  /** The path below `/door/`. It is empty for the page itself. */
  path: string
  type: string
  /** The compressed file in Base64. */
  gzip: string
}

let made: Promise<ReadonlyMap<string, DoorFile>> | undefined

/** Returns the files of the scanner's page by their paths. */
export function doorFiles(): Promise<ReadonlyMap<string, DoorFile>> {
  made ??= load().then(files => new Map(files.map(file => [file.path, file])))
  return made
}

async function load(): Promise<DoorFile[]> {
  if (typeof DOOR_FILES === 'string') return JSON.parse(DOOR_FILES)
  // The name is made here, so that a bundle does not take in the builder.
  const builder = new URL('../../../build/door-page.mjs', import.meta.url).href
  return ((await import(builder)) as { buildDoorPage(): Promise<{ files: DoorFile[] }> })
    .buildDoorPage()
    .then(({ files }) => files)
}
