import { makeFault } from '#base/faults.ts'
import type { Context } from '#faces/dashboard/frame/context.ts'
import { goTo } from '#faces/dashboard/frame/destination.ts'
import { readCursor, toNext } from '#faces/dashboard/frame/list-page.ts'
import type { PageAt, View } from '#faces/dashboard/frame/page.ts'
import { type AccountRequest, actorOf, type Services, scaleOf } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { problemOfForm } from '#faces/dashboard/frame/refused-form.ts'
import { answerView } from '#faces/dashboard/frame/show.tsx'
import { placeFault, tooLarge } from '#faces/dashboard/guests/import-upload.tsx'
import type { ReadTx } from '#machinery/db/port.ts'
import { statusOf } from '#machinery/http/errors.ts'
import { MAX_BYTES } from '#machinery/tables/lines.ts'
import { refusal } from '#machinery/tables/refusal.ts'
import { Head, Tabs, Time } from '#machinery/web/components/parts.tsx'
import { fileField } from '#machinery/web/forms/field.ts'
import { type FormState, newForm } from '#machinery/web/forms/form.ts'
import { Form } from '#machinery/web/forms/form-view.tsx'
import { withQuery } from '#machinery/web/link.ts'
import { type List, Pages, Table } from '#machinery/web/lists/list.tsx'
import * as lines from '#product/selling/bank-statements/rules.ts'
import type { BankLine, Upload } from '#product/selling/bank-statements/schemas.ts'
import * as uploads from '#product/selling/bank-statements/uploads.ts'
import { Counterparty, LineState, lineColumns, OF_STATEMENTS } from './statement-parts.tsx'

const PER_PAGE = 50
const LATEST = 5
const MAX_NAME = 200

const fields = {
  file: fileField('.csv,.txt,.tsv,text/csv,text/plain', {
    label: texts => texts.statements.file,
    help: texts => texts.statements.fileHelp,
  }),
}

const states = ['unmatched', 'matched', 'ignored'] as const

interface Loaded {
  state: (typeof states)[number]
  rows: readonly { line: BankLine }[]
  next: string | undefined
  latest: readonly Upload[]
}

async function load(tx: ReadTx, request: AccountRequest, { cursors }: Services): Promise<Loaded> {
  const { account, query } = request
  const state = states.find(each => each === query.get('state')) ?? 'unmatched'
  const scope = `statement lines ${account.id} ${state}`
  const page = { limit: PER_PAGE + 1, after: readCursor(cursors, scope, request) }
  const found = [...(await lines.listLines(tx, state, page))]
  return {
    state,
    rows: found.slice(0, PER_PAGE).map(({ resource }) => ({ line: resource })),
    next: toNext(cursors, scope, found, PER_PAGE),
    latest: await uploads.listLatest(tx, LATEST),
  }
}

const PAGE = { level: 'account', path: '/a/{account}/statements' } as const

/** Takes a bank's file, and lists the lines that need a decision. */
export const statementsPage: PageAt<'account'> = {
  ...PAGE,
  ...OF_STATEMENTS,
  navigation: { icon: 'list', text: texts => texts.navigation.statements },
  takesFile: true,
  get: (services, context, request) => show(services, context, request, newForm(fields, scaleOf(request))),
  post: async (services, context, request) => {
    let name = ''
    try {
      const options = { sender: request.user.id, max: MAX_BYTES }
      const { job, isReady } = await services.uploads.take(context.req, options, async ({ file }) => {
        if (file === undefined) throw refusal('file', makeFault('required'))
        name = [...file.name.toWellFormed()].slice(0, MAX_NAME).join('')
        await context.state.admitAgain()
        return uploads.upload(services.db, actorOf(request), file, name)
      })
      const what = isReady ? undefined : 'columns'
      goTo(services, context, { path: paths.statement(request.account.id, job.id, what) })
    } catch (error) {
      const problem = tooLarge(problemOfForm(error))
      context.state.problem = problem
      const { imports } = request.voice.texts
      const placed = placeFault('file', problem, (_, sentence) =>
        name === '' ? sentence : imports.ofFile(name, sentence),
      )
      const state = { ...newForm(fields, scaleOf(request)), ...placed }
      await show(services, context, request, state, statusOf(problem))
    }
  },
}

async function show(
  services: Services,
  context: Context,
  request: AccountRequest,
  form: FormState,
  status = 200,
): Promise<void> {
  const loaded = await services.db.read(request.account.id, tx => load(tx, request, services))
  await answerView(context, PAGE, request, { ...viewOf(loaded, request, form), status })
}

function viewOf({ state, rows, next, latest }: Loaded, request: AccountRequest, form: FormState): View {
  const { account, voice } = request
  const { texts } = voice
  const { statements: labels } = texts
  const path = paths.statements(account.id)
  const tabs = states.map(each => ({
    href: withQuery(path, { state: each === 'unmatched' ? undefined : each }),
    text: labels.tabs[each],
    isCurrent: each === state,
  }))
  const query = {
    state: state === 'unmatched' ? undefined : state,
    after: request.query.get('after') ?? undefined,
  }
  return {
    title: labels.title,
    body: (
      <>
        <Head title={labels.title} about={labels.about} />
        <div class="stack">
          <div class="card">
            <Form state={form} texts={texts} action={path} submit={labels.upload} isGuarded={false} />
          </div>
          <Tabs label={labels.tabsLabel} tabs={tabs} />
          {rows.length === 0 && query.after === undefined ? (
            <p class="card quiet">{labels.none[state]}</p>
          ) : (
            <Table list={listOf(request, state)} rows={rows} voice={voice} />
          )}
          <Pages path={path} query={query} shown={rows.length} next={next} texts={texts} />
          {latest.length > 0 && <Table list={latestList(request)} rows={latest} voice={voice} hasHeading />}
        </div>
      </>
    ),
  }
}

function listOf({ account }: AccountRequest, state: Loaded['state']): List<{ line: BankLine }> {
  return {
    caption: texts => texts.statements.captions[state],
    columns: [
      {
        label: texts => texts.statements.counterparty,
        place: 'name',
        cell: ({ line }, voice) => (
          <a href={paths.bankLine(account.id, line.id)}>
            <Counterparty line={line} voice={voice} />
          </a>
        ),
      },
      ...lineColumns,
      {
        label: texts => texts.statements.why,
        place: 'line',
        cell: ({ line }, voice) => <LineState line={line} voice={voice} />,
      },
    ],
  }
}

function latestList({ account }: AccountRequest): List<Upload> {
  return {
    caption: texts => texts.statements.latest,
    columns: [
      {
        label: texts => texts.statements.file,
        place: 'name',
        cell: ({ job, input }) => (
          <a href={paths.statement(account.id, job.id)}>
            <bdi>{input.name || job.id}</bdi>
          </a>
        ),
      },
      {
        label: texts => texts.statements.lines,
        place: 'line',
        cell: ({ job }, { texts }) => texts.statements.linesOf(job.total ?? 0),
      },
      {
        label: texts => texts.statements.state,
        place: 'amount',
        cell: ({ job, isDone, isUnderWay }, { texts: { statements: labels } }) =>
          labels.fileStates[
            isDone ? 'done' : isUnderWay ? 'under_way' : job.state === 'failed' ? 'stopped' : 'open'
          ],
      },
      {
        label: texts => texts.statements.when,
        place: 'when',
        cell: ({ job }, { format }) => <Time at={job.created_at} format={format} />,
      },
    ],
  }
}
