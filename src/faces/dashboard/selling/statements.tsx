import * as lines from '../../bank-statements/rules.ts'
import type { BankLine, Upload } from '../../bank-statements/schemas.ts'
import * as uploads from '../../bank-statements/uploads.ts'
import type { ReadTx } from '../../db/port.ts'
import { makeFault } from '../../faults.ts'
import { statusOf } from '../../http/errors.ts'
import { MAX_BYTES } from '../../tables/lines.ts'
import { refusal } from '../../tables/refusal.ts'
import { Head, Tabs, Time } from '../../web/components/parts.tsx'
import { fileField } from '../../web/forms/field.ts'
import { type FormState, newForm } from '../../web/forms/form.ts'
import { Form } from '../../web/forms/form-view.tsx'
import { withQuery } from '../../web/link.ts'
import { type List, Pages, Table } from '../../web/lists/list.tsx'
import { actorOf, type OfAccount, type Services, scaleOf } from '../asked.ts'
import type { Context } from '../context.ts'
import { goTo } from '../destination.ts'
import { readCursor, toNext } from '../list-page.ts'
import type { PageAt, View } from '../page.ts'
import { paths } from '../paths.ts'
import { problemOfForm } from '../refused-form.ts'
import { answerView } from '../show.tsx'
import { Counterparty, LineState, lineColumns, OF_STATEMENTS } from '../statement-parts.tsx'
import { placeFault, tooLarge } from './import-upload.tsx'

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

async function load(tx: ReadTx, asked: OfAccount, { cursors }: Services): Promise<Loaded> {
  const { account, query } = asked
  const state = states.find(each => each === query.get('state')) ?? 'unmatched'
  const scope = `statement lines ${account.id} ${state}`
  const page = { limit: PER_PAGE + 1, after: readCursor(cursors, scope, asked) }
  const found = [...(await lines.listLines(tx, account.id, state, page))]
  return {
    state,
    rows: found.slice(0, PER_PAGE).map(({ resource }) => ({ line: resource })),
    next: toNext(cursors, scope, found, PER_PAGE),
    latest: await uploads.listLatest(tx, account.id, LATEST),
  }
}

const PAGE = { level: 'account', path: '/a/{account}/statements' } as const

/** Takes a bank's file, and lists the lines that somebody has to decide about. */
export const statementsPage: PageAt<'account'> = {
  ...PAGE,
  ...OF_STATEMENTS,
  navigation: { icon: 'list', text: texts => texts.navigation.statements },
  takesFile: true,
  get: (services, context, asked) => show(services, context, asked, newForm(fields, scaleOf(asked))),
  post: async (services, context, asked) => {
    let name = ''
    try {
      const options = { userId: asked.user.id, max: MAX_BYTES }
      const { job, isReady } = await services.uploads.take(context.req, options, async ({ file }) => {
        if (file === undefined) throw refusal('file', makeFault('required'))
        name = [...file.name.toWellFormed()].slice(0, MAX_NAME).join('')
        await context.state.admitAgain()
        return uploads.upload(services.db, actorOf(asked), file, name)
      })
      const what = isReady ? undefined : 'columns'
      goTo(services, context, { path: paths.statement(asked.account.id, job.id, what) })
    } catch (error) {
      const problem = tooLarge(problemOfForm(error))
      context.state.problem = problem
      const { imports } = asked.voice.texts
      const placed = placeFault('file', problem, (_, said) =>
        name === '' ? said : imports.ofFile(name, said),
      )
      const state = { ...newForm(fields, scaleOf(asked)), ...placed }
      await show(services, context, asked, state, statusOf(problem))
    }
  },
}

async function show(
  services: Services,
  context: Context,
  asked: OfAccount,
  form: FormState,
  status = 200,
): Promise<void> {
  const loaded = await services.db.read(tx => load(tx, asked, services))
  await answerView(context, PAGE, asked, { ...viewOf(loaded, asked, form), status })
}

function viewOf({ state, rows, next, latest }: Loaded, asked: OfAccount, form: FormState): View {
  const { account, voice } = asked
  const { texts } = voice
  const { statements: said } = texts
  const path = paths.statements(account.id)
  const tabs = states.map(each => ({
    href: withQuery(path, { state: each === 'unmatched' ? undefined : each }),
    text: said.tabs[each],
    isCurrent: each === state,
  }))
  const query = {
    state: state === 'unmatched' ? undefined : state,
    after: asked.query.get('after') ?? undefined,
  }
  return {
    title: said.title,
    body: (
      <>
        <Head title={said.title} about={said.about} />
        <div class="stack">
          <div class="card">
            <Form state={form} texts={texts} action={path} submit={said.upload} isGuarded={false} />
          </div>
          <Tabs label={said.tabsLabel} tabs={tabs} />
          {rows.length === 0 && query.after === undefined ? (
            <p class="card quiet">{said.none[state]}</p>
          ) : (
            <Table list={listOf(asked, state)} rows={rows} voice={voice} />
          )}
          <Pages path={path} query={query} shown={rows.length} next={next} texts={texts} />
          {latest.length > 0 && <Table list={latestList(asked)} rows={latest} voice={voice} hasHeading />}
        </div>
      </>
    ),
  }
}

function listOf({ account }: OfAccount, state: Loaded['state']): List<{ line: BankLine }> {
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

function latestList({ account }: OfAccount): List<Upload> {
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
        cell: ({ job, isDone, isUnderWay }, { texts: { statements: said } }) =>
          said.fileStates[
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
