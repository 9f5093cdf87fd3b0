import { english, makeFault, say } from '#base/faults.ts'
import { Refusal } from '#base/refusal.ts'
import type { Database, ReadTx } from '#machinery/db/port.ts'
import { FileAbsent, type HashedFolder } from '#machinery/files/hashed-folder.ts'
import { MAX_FILE_MIB } from '#product/programme/calls/schemas.ts'
import { MOST_OF_EVENT } from '#product/programme/files/limits.ts'
import { PdfBytes } from '#product/programme/files/pdf-bytes.ts'
import { FileReceiver } from '#product/programme/files/receive.ts'
import type { OrganizationFile } from './people-items.ts'
import * as store from './programme-store.ts'
import { Refusals } from './refusals.ts'
import { lineOfSubmission, type Report } from './report.ts'
import type { Organization } from './schema.ts'

/** This file brings the files of submissions, whose bytes stand in a folder beside an organization file. */

/** The most bytes of a file. */
const MOST = MAX_FILE_MIB * 1024 ** 2

interface NamedFile {
  /** Where the organization file has it. */
  path: string
  /** The slug of the event. */
  slug: string
  /** The reference of the submission. */
  reference: string
  file: OrganizationFile
}

function* listFiles({ events }: Organization): Generator<NamedFile> {
  for (const [index, { slug, submitters }] of events.entries())
    for (const [of, { submissions }] of submitters.entries())
      for (const [at, { reference, file }] of submissions.entries()) {
        const path = `events.${index}.submitters.${of}.submissions.${at}.file`
        if (file !== null) yield { path, slug, reference, file }
      }
}

/** Counts the files that an organization file names. */
export function countFiles(file: Organization): number {
  return [...listFiles(file)].length
}

/**
 * Refuses an organization file that names files which the folder does not have, whole and as they were, or more than there is room
 * for. Each file is read once, a piece at a time.
 *
 * @throws Problem invalid_parameter, as `Refusals` has it
 */
export function refuseFiles(file: Organization, folder: HashedFolder): void {
  const refusals = new Refusals(file)
  const found = new Map<string, Looked>()
  const bytes = new Map<string, number>()
  for (const { path, slug, file: named } of listFiles(file)) {
    const looked = found.get(named.sha256) ?? look(folder, named.sha256)
    found.set(named.sha256, looked)
    const wrong = looked.wrong ?? (looked.size === named.size ? undefined : otherSize(named, looked.size))
    if (wrong !== undefined) refusals.add(path, wrong)
    bytes.set(slug, (bytes.get(slug) ?? 0) + named.size)
  }
  for (const [index, { slug }] of file.events.entries())
    if ((bytes.get(slug) ?? 0) > MOST_OF_EVENT)
      refusals.add(`events.${index}.submitters`, 'have more than the 2 GiB of files that an event takes')
  refusals.throwAny()
}

type Looked = { size: number; wrong: string | undefined }

/** Looks at a file once. It says what is wrong behind the path of the file. */
function look(folder: HashedFolder, sha256: string): Looked {
  const name = folder.nameOf(sha256)
  const passed = new PdfBytes()
  try {
    for (const piece of folder.read(sha256)) {
      if (!passed.add(piece) || passed.size > MOST) break
    }
  } catch (error) {
    if (!(error instanceof FileAbsent)) throw error
    const wrong = error.there === 'none' ? `is not in ${folder.path}` : `is no file in ${folder.path}`
    return { size: 0, wrong: `${wrong}: ${name}` }
  }
  // It has more than any file of an organization file says.
  if (passed.size > MOST) return { size: passed.size, wrong: undefined }
  const end = passed.end()
  if ('fault' in end) return { size: passed.size, wrong: say(english, makeFault(end.fault)) }
  const wrong = end.sha256 === sha256 ? undefined : `has other bytes in ${folder.path}: ${name}`
  return { size: passed.size, wrong }
}

function otherSize({ size }: OrganizationFile, is: number): string {
  return `has a size of ${size} bytes, and ${is} are there`
}

/**
 * Attaches the files that an organization file names and that are not there yet, each as if it were sent: in pieces, and then at once.
 * A submission that has a file, or has lost it since, keeps that. Running it again after a stop goes on. What it does is added to the
 * report.
 *
 * @param db undefined for a dry run without a database
 * @throws Refusal if a file was changed since it was looked at; Problem files_full
 */
export async function bringFiles(
  db: Database | undefined,
  file: Organization,
  report: Report<string | null>,
  { folder, dry }: { folder: HashedFolder; dry: boolean },
): Promise<void> {
  const created = new Set(report.changes)
  const receiver = db === undefined ? undefined : new FileReceiver(db)
  for (const named of listFiles(file)) {
    const line = lineOfSubmission(named.reference, named.slug)
    const eventId = report.events[named.slug]?.id ?? null
    const { account_id: accountId } = report
    const of =
      db === undefined || accountId === null || eventId === null
        ? undefined
        : await db.read(accountId, tx => findWanting(tx, eventId, named.reference))
    const isWanted = of !== undefined || (dry && created.has(`created ${line}`))
    if (!isWanted) report.kept++
    else {
      if (!dry && of !== undefined)
        await attach(
          receiver as FileReceiver,
          accountId as string,
          { ...of, eventId: eventId as string },
          named,
          folder,
        )
      report.created++
      report.changes.push(`created file of ${line}`)
    }
  }
}

/** Finds a submission that has no file and had none lately. An abstract whose file was taken away does not get it back. */
async function findWanting(
  tx: ReadTx,
  eventId: string,
  reference: string,
): Promise<{ id: string } | undefined> {
  const row = await store.findSubmission(tx, eventId, reference)
  if (row === undefined || (row.abstract_id !== null && row.file_name === null)) return undefined
  return (await store.hasFiles(tx, { id: row.id, eventId })) ? undefined : { id: row.id }
}

async function attach(
  receiver: FileReceiver,
  accountId: string,
  { id: submissionId, eventId }: { id: string; eventId: string },
  { path, file: { name, size, sha256 } }: NamedFile,
  folder: HashedFolder,
): Promise<void> {
  await receiver.receive(accountId, {
    ...{ eventId, submissionId, name },
    bytes: asynchronous(folder.read(sha256)),
    // Whoever runs the command is who says how much the server takes.
    limits: { file: size, server: Number.POSITIVE_INFINITY, isConfirmed: true },
    whenAttached: async (_, attached) => {
      if (attached.sha256 !== sha256)
        throw new Refusal(`${path} was changed in ${folder.path} while it was read. Run the command again.`)
    },
  })
}

async function* asynchronous(bytes: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* bytes
}
