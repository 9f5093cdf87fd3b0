import { type Fault, makeFault, say } from '#base/faults.ts'
import { text } from '#base/fields.ts'
import type { Problem } from '#base/problem.ts'
import type { Context } from '#faces/dashboard/frame/context.ts'
import { goTo } from '#faces/dashboard/frame/destination.ts'
import type { PageAt, View } from '#faces/dashboard/frame/page.ts'
import { actorOf, type EventRequest, type Services, scaleOf } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { problemOfForm, type Refused } from '#faces/dashboard/frame/refused-form.ts'
import { answerView } from '#faces/dashboard/frame/show.tsx'
import type { ReadTx } from '#machinery/db/port.ts'
import { statusOf } from '#machinery/http/errors.ts'
import { MAX_BYTES } from '#machinery/tables/lines.ts'
import { refusal } from '#machinery/tables/refusal.ts'
import { ButtonLink, Empty, Head, Time } from '#machinery/web/components/parts.tsx'
import type { Say } from '#machinery/web/forms/control-kinds.ts'
import { fileField, textField } from '#machinery/web/forms/field.ts'
import { type FormState, newForm, parseForm, readForm, refusedForm } from '#machinery/web/forms/form.ts'
import { Form } from '#machinery/web/forms/form-view.tsx'
import { type List, Table } from '#machinery/web/lists/list.tsx'
import { XLSX } from '#machinery/workbooks/writing.ts'
import type { Job } from '#product/administration/jobs/schemas.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import * as imports from '#product/guests/imports/rules.ts'
import { readTable } from '#product/guests/imports/table.ts'

/** The most characters to paste. Even escaped they fit into a form of a mebibyte. Longer lists have to be uploaded. */
const MAX_PASTED = 300_000
const MAX_NAME = 200
const SHOWN = 5

const fileFields = {
  file: fileField(
    `.xlsx,${XLSX},.csv,.txt,.tsv,.json,text/csv,text/plain,text/tab-separated-values,application/json`,
    {
      label: texts => texts.imports.file,
      help: texts => `${texts.imports.fileHelp} ${texts.imports.moving}`,
    },
  ),
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

async function load(tx: ReadTx, { event }: EventRequest): Promise<Latest> {
  const types = await registrationTypes.listTickets(tx, event.id)
  return { types: types.length, latest: await imports.listLatest(tx, event.id, SHOWN) }
}

const UPLOAD = { level: 'event', path: '/e/{event}/guests/import' } as const

/** Takes a file with guests. */
export const uploadGuests: PageAt<'event'> = {
  ...UPLOAD,
  permission: 'guests.edit',
  takesFile: true,
  get: (services, context, request) =>
    showUpload(services, context, request, newForm(fileFields, scaleOf(request))),
  post: async (services, context, request) => {
    let name: string | null = null
    try {
      const options = { sender: request.user.id, max: MAX_BYTES }
      const job = await services.uploads.take(context.req, options, async ({ file }, keep) => {
        if (file === undefined) throw refusal('file', makeFault('required'))
        name = [...file.name.toWellFormed()].slice(0, MAX_NAME).join('')
        const table = await readTable(file, keep)
        await context.state.admitAgain()
        return imports.upload(services.db, actorOf(request), request.event.id, table, name)
      })
      toColumns(services, context, request, job)
    } catch (error) {
      const problem = tooLarge(problemOfForm(error))
      context.state.problem = problem
      const { voice } = request
      const sentenceOf = ({ imports }: typeof voice.texts, sentence: string) =>
        name === null || name === '' ? sentence : imports.ofFile(name, sentence)
      const state = { ...newForm(fileFields, scaleOf(request)), ...placeFault('file', problem, sentenceOf) }
      await showUpload(services, context, request, state, statusOf(problem))
    }
  },
}

/** Turns an upload that was refused for its size before it was read into the same fault of the field. */
export function tooLarge(problem: Problem): Problem {
  return problem.code === 'payload_too_large'
    ? refusal('file', makeFault('tooManyBytes', { max: MAX_BYTES }))
    : problem
}

async function showUpload(
  services: Services,
  context: Context,
  request: EventRequest,
  state: FormState,
  status = 200,
): Promise<void> {
  const loaded = await services.db.read(request.account.id, tx => load(tx, request))
  await answerView(context, UPLOAD, request, { ...uploadView(loaded, request, state), status })
}

function uploadView({ types, latest }: Latest, request: EventRequest, state: FormState): View {
  const { event, voice } = request
  const { imports: texts } = voice.texts
  const paste = paths.pasteGuests(event.id)
  return {
    title: texts.title,
    body: (
      <>
        <Head title={texts.title} about={texts.about} />
        <div class="stack">
          {types === 0 && (
            <Empty
              icon="tickets"
              title={texts.noTypes}
              action={<ButtonLink href={paths.tickets(event.id)}>{texts.toTypes}</ButtonLink>}
            >
              {texts.noTypesAbout}
            </Empty>
          )}
          <div class="card stack">
            <Form
              state={state}
              texts={voice.texts}
              action={paths.importGuests(event.id)}
              submit={texts.upload}
              isGuarded={false}
            />
            {types > 0 && (
              <p>
                <a href={paste}>{texts.pasteInstead}</a>
              </p>
            )}
          </div>
          {latest.length > 0 && <Table list={latestList(request)} rows={latest} voice={voice} hasHeading />}
        </div>
      </>
    ),
  }
}

function latestList({ event }: EventRequest): List<Latest['latest'][number]> {
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
  get: (_, context, request) => showPaste(context, request, newForm(pasteFields, scaleOf(request))),
  restore: (_, context, request, body) =>
    showPaste(context, request, refusedForm(pasteFields, scaleOf(request), readForm(pasteFields, body), {})),
  post: async (services, context, request) => {
    const sent = readForm(pasteFields, context.state.body)
    const scale = scaleOf(request)
    const refuse = (refused: Refused, status: number) =>
      showPaste(context, request, refusedForm(pasteFields, scale, sent, refused), status)
    const parsed = parseForm(pasteFields, scale, sent)
    if ('faults' in parsed) return refuse({ faults: parsed.faults }, 422)
    try {
      const table = await readTable(Buffer.from(parsed.values.lines))
      toColumns(
        services,
        context,
        request,
        await imports.upload(services.db, actorOf(request), request.event.id, table),
      )
    } catch (error) {
      const problem = problemOfForm(error)
      context.state.problem = problem
      await refuse(placeFault('lines', problem), statusOf(problem))
    }
  },
}

async function showPaste(
  context: Context,
  request: EventRequest,
  state: FormState,
  status = 200,
): Promise<void> {
  const { event, voice } = request
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
  await answerView(context, PASTE, request, { title: texts.pasteTitle, body, status })
}

function toColumns(services: Services, context: Context, { event }: EventRequest, { id }: Job): void {
  goTo(services, context, { path: paths.guestImport(event.id, id, 'columns') })
}

type Texts = Parameters<Say>[0]

/** Shows a fault of a table beside the field that holds it, with its line and its file. */
export function placeFault(
  name: string,
  problem: Problem,
  sentenceOf = (_: Texts, sentence: string): string => sentence,
): Refused {
  const { fault, line } = (problem.details ?? {}) as { fault?: Fault; line?: number }
  if (fault === undefined) return { problem }
  const sentence: Say = texts => {
    const wrong = say(texts.faults, fault)
    return sentenceOf(texts, line === undefined ? wrong : texts.imports.atLine(line, wrong))
  }
  return { faults: new Map([[name, { say: sentence }]]) }
}
