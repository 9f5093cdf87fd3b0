import type { ReadTx } from '../../db/port.ts'
import { type Fault, makeFault, say } from '../../faults.ts'
import { text } from '../../fields.ts'
import { statusOf } from '../../http/errors.ts'
import * as imports from '../../imports/rules.ts'
import { readTable } from '../../imports/table.ts'
import type { Job } from '../../jobs/schemas.ts'
import type { Problem } from '../../problem.ts'
import * as registrationTypes from '../../registration-types/rules.ts'
import { MAX_BYTES } from '../../tables/lines.ts'
import { refusal } from '../../tables/refusal.ts'
import { ButtonLink, Empty, Head, Time } from '../../web/components/parts.tsx'
import { fileField, type Say, textField } from '../../web/forms/field.ts'
import { type FormState, newForm, parseForm, readForm, refusedForm } from '../../web/forms/form.ts'
import { Form } from '../../web/forms/form-view.tsx'
import { type List, Table } from '../../web/lists/list.tsx'
import { actorOf, type OfEvent, type Services, scaleOf } from '../asked.ts'
import type { Context } from '../context.ts'
import { goTo } from '../destination.ts'
import type { PageAt, View } from '../page.ts'
import { paths } from '../paths.ts'
import { problemOfForm, type Refused } from '../refused-form.ts'
import { answerView } from '../show.tsx'

/** Characters: escaped, they are still a form of a mebibyte. Whoever has more uploads them. */
const MAX_PASTED = 300_000
const MAX_NAME = 200
const SHOWN = 5

const fileFields = {
  file: fileField('.csv,.txt,.tsv,text/csv,text/plain,text/tab-separated-values', {
    label: texts => texts.imports.file,
    help: texts => texts.imports.fileHelp,
  }),
}

const pasteFields = {
  lines: textField(text(MAX_PASTED), {
    label: texts => texts.imports.linesLabel,
    help: texts => texts.imports.linesHelp,
    control: { kind: 'area', rows: 12 },
  }),
}

interface Latest {
  types: number
  latest: Awaited<ReturnType<typeof imports.listLatest>>
}

async function load(tx: ReadTx, { account, event }: OfEvent): Promise<Latest> {
  const types = await registrationTypes.listByEvent(tx, account.id, event.id)
  return { types: types.length, latest: await imports.listLatest(tx, account.id, event.id, SHOWN) }
}

const UPLOAD = { level: 'event', path: '/e/{event}/guests/import' } as const

/** Takes a file with guests. */
export const uploadGuests: PageAt<'event'> = {
  ...UPLOAD,
  permission: 'guests.edit',
  takesFile: true,
  get: (services, context, asked) =>
    showUpload(services, context, asked, newForm(fileFields, scaleOf(asked))),
  post: async (services, context, asked) => {
    let name: string | null = null
    try {
      const options = { userId: asked.user.id, max: MAX_BYTES }
      const job = await services.uploads.take(context.req, options, async ({ file }) => {
        if (file === undefined) throw refusal('file', makeFault('required'))
        name = [...file.name.toWellFormed()].slice(0, MAX_NAME).join('')
        const table = await readTable(file)
        await context.state.admitAgain()
        return imports.upload(services.db, actorOf(asked), asked.event.id, table, name)
      })
      toColumns(services, context, asked, job)
    } catch (error) {
      const problem = tooLarge(problemOfForm(error))
      context.state.problem = problem
      const { voice } = asked
      const told = ({ imports }: typeof voice.texts, sentence: string) =>
        name === null || name === '' ? sentence : imports.ofFile(name, sentence)
      const state = { ...newForm(fileFields, scaleOf(asked)), ...placeFault('file', problem, told) }
      await showUpload(services, context, asked, state, statusOf(problem))
    }
  },
}

/** What is refused before it was read is too large as well. */
export function tooLarge(problem: Problem): Problem {
  return problem.code === 'payload_too_large'
    ? refusal('file', makeFault('tooManyBytes', { max: MAX_BYTES }))
    : problem
}

async function showUpload(
  services: Services,
  context: Context,
  asked: OfEvent,
  state: FormState,
  status = 200,
): Promise<void> {
  const loaded = await services.db.read(tx => load(tx, asked))
  await answerView(context, UPLOAD, asked, { ...uploadView(loaded, asked, state), status })
}

function uploadView({ types, latest }: Latest, asked: OfEvent, state: FormState): View {
  const { event, voice } = asked
  const { imports: texts } = voice.texts
  const paste = paths.pasteGuests(event.id)
  return {
    title: texts.title,
    body: (
      <>
        <Head title={texts.title} about={texts.about} />
        <div class="stack">
          {types === 0 ? (
            <Empty
              icon="tickets"
              title={texts.noTypes}
              action={<ButtonLink href={paths.tickets(event.id)}>{texts.toTypes}</ButtonLink>}
            >
              {texts.noTypesAbout}
            </Empty>
          ) : (
            <div class="card stack">
              <Form
                state={state}
                texts={voice.texts}
                action={paths.importGuests(event.id)}
                submit={texts.upload}
                isGuarded={false}
              />
              <p>
                <a href={paste}>{texts.pasteInstead}</a>
              </p>
            </div>
          )}
          {latest.length > 0 && <Table list={latestList(asked)} rows={latest} voice={voice} hasHeading />}
        </div>
      </>
    ),
  }
}

function latestList({ event }: OfEvent): List<Latest['latest'][number]> {
  return {
    caption: texts => texts.imports.latest,
    columns: [
      {
        label: texts => texts.imports.file,
        place: 'name',
        cell: ({ job, input }, { texts }) => (
          <a href={paths.guestImport(event.id, job.id)}>
            <bdi>{input.name || texts.imports.pasted}</bdi>
          </a>
        ),
      },
      {
        label: texts => texts.imports.line,
        place: 'line',
        cell: ({ job }, { texts }) => texts.imports.lines(job.total ?? 0),
      },
      {
        label: texts => texts.imports.when,
        place: 'when',
        cell: ({ job }, { format }) => <Time at={job.created_at} format={format} />,
      },
    ],
  }
}

const PASTE = { level: 'event', path: '/e/{event}/guests/import/paste' } as const

/** Takes lines that somebody has copied from a spreadsheet. */
export const pasteGuests: PageAt<'event'> = {
  ...PASTE,
  permission: 'guests.edit',
  get: (_, context, asked) => showPaste(context, asked, newForm(pasteFields, scaleOf(asked))),
  restore: (_, context, asked, body) =>
    showPaste(context, asked, refusedForm(pasteFields, scaleOf(asked), readForm(pasteFields, body), {})),
  post: async (services, context, asked) => {
    const sent = readForm(pasteFields, context.state.body)
    const scale = scaleOf(asked)
    const refuse = (refused: Refused, status: number) =>
      showPaste(context, asked, refusedForm(pasteFields, scale, sent, refused), status)
    const parsed = parseForm(pasteFields, scale, sent)
    if ('faults' in parsed) return refuse({ faults: parsed.faults }, 422)
    try {
      const table = await readTable(Buffer.from(parsed.values.lines))
      toColumns(
        services,
        context,
        asked,
        await imports.upload(services.db, actorOf(asked), asked.event.id, table),
      )
    } catch (error) {
      const problem = problemOfForm(error)
      context.state.problem = problem
      await refuse(placeFault('lines', problem), statusOf(problem))
    }
  },
}

async function showPaste(context: Context, asked: OfEvent, state: FormState, status = 200): Promise<void> {
  const { event, voice } = asked
  const { imports: texts } = voice.texts
  const upload = paths.importGuests(event.id)
  const body = (
    <>
      <Head title={texts.pasteTitle} crumbs={<a href={upload}>{texts.title}</a>} />
      <div class="card stack">
        <Form
          state={state}
          texts={voice.texts}
          action={paths.pasteGuests(event.id)}
          submit={texts.readLines}
          leave={upload}
        />
        <p>
          <a href={upload}>{texts.uploadInstead}</a>
        </p>
      </div>
    </>
  )
  await answerView(context, PASTE, asked, { title: texts.pasteTitle, body, status })
}

function toColumns(services: Services, context: Context, { event }: OfEvent, { id }: Job): void {
  goTo(services, context, { path: paths.importColumns(event.id, id) })
}

type Texts = Parameters<Say>[0]

/** What is wrong with a table beside the field that has it: in which line, and of which file. */
export function placeFault(
  name: string,
  problem: Problem,
  told = (_: Texts, sentence: string): string => sentence,
): Refused {
  const { fault, line } = (problem.details ?? {}) as { fault?: Fault; line?: number }
  if (fault === undefined) return { problem }
  const sentence: Say = texts => {
    const wrong = say(texts.faults, fault)
    return told(texts, line === undefined ? wrong : texts.imports.atLine(line, wrong))
  }
  return { faults: new Map([[name, { say: sentence }]]) }
}
