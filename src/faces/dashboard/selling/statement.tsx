import { say } from '#base/faults.ts'
import { describeCode, isOfStarter } from '#faces/dashboard/administration/job-kinds.ts'
import { button } from '#faces/dashboard/frame/button.ts'
import { type AccountRequest, actorOf } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { showPage } from '#faces/dashboard/frame/show.tsx'
import {
  Banner,
  ButtonLink,
  Facts,
  Head,
  Live,
  PostButton,
  Progress,
} from '#machinery/web/components/parts.tsx'
import { type List, Table } from '#machinery/web/lists/list.tsx'
import { type Becoming, type Foreseen, foresee } from '#product/selling/bank-statements/preview.ts'
import type { Upload } from '#product/selling/bank-statements/schemas.ts'
import * as uploads from '#product/selling/bank-statements/uploads.ts'
import { Amounts } from './amounts.tsx'
import { Counterparty, LineState, lineColumns, OF_STATEMENTS } from './statement-parts.tsx'
import { PayoutLink } from './statement-payout.tsx'

/** The page looks at the progress this often, in seconds. `REFRESH` applies without the script. */
const EVERY = 2
const REFRESH = 5
/** This many lines are shown with what would become of them. */
const SHOWN = 50

interface Loaded {
  upload: Upload
  foreseen: readonly Foreseen[]
}

/** Shows a bank's file: what would become of its lines, how far they are matched, and what came of it. */
export const statementPage = showPage('account', {
  ...OF_STATEMENTS,
  path: '/a/{account}/statements/files/{file}',
  load: async (tx, { params }, { clock }): Promise<Loaded> => {
    const upload = await uploads.get(tx, params.file ?? '')
    const foreseen = upload.isReady ? await foresee(tx, upload.job.id, { limit: SHOWN, now: clock() }) : []
    return { upload, foreseen }
  },
  view: ({ upload, foreseen }, request) => {
    const { account, voice } = request
    const { statements: labels } = voice.texts
    const title = upload.input.name || labels.file
    const { isUnderWay, isReady, isDone } = upload
    return {
      title,
      refresh: isUnderWay ? REFRESH : undefined,
      body: (
        <>
          <Head
            title={<bdi>{title}</bdi>}
            crumbs={<a href={paths.statements(account.id)}>{labels.title}</a>}
          />
          <Live id="statement" every={isUnderWay ? EVERY : undefined}>
            {isUnderWay && <UnderWay upload={upload} request={request} />}
            {isDone && <Done upload={upload} request={request} />}
            {isReady && <Ready upload={upload} foreseen={foreseen} request={request} />}
            {!isUnderWay && !isDone && !isReady && (
              <div class="row">
                <ButtonLink href={paths.statement(account.id, upload.job.id, 'columns')} main>
                  {labels.columnsTitle}
                </ButtonLink>
              </div>
            )}
          </Live>
        </>
      ),
    }
  },
})

interface PartProps {
  upload: Upload
  request: AccountRequest
}

function UnderWay({ upload: { job }, request: { voice } }: PartProps) {
  const { statements: labels } = voice.texts
  return (
    <div class="card stack">
      <h2>{labels.matching}</h2>
      <Progress label={labels.matching} done={job.done} total={null} />
      <p>
        {labels.progress(voice.format.number(job.done))}. {labels.live}
      </p>
    </div>
  )
}

const settled = ['confirmed', 'kept', 'returned', 'paid_out', 'unmatched', 'ignored'] as const

function Done({ upload: { job }, request: { account, voice } }: PartProps) {
  const { statements: labels } = voice.texts
  const counts = (job.outcome ?? {}) as Partial<Record<(typeof settled)[number], number>>
  const facts = settled
    .filter((name, place) => place === 0 || (counts[name] ?? 0) > 0)
    .map(name => [labels.counts[name], voice.format.number(counts[name] ?? 0)] as const)
  return (
    <div class="card stack">
      <h2>{labels.done}</h2>
      <Facts facts={facts} />
      <div class="row">
        <ButtonLink href={paths.statements(account.id)} main>
          {(counts.unmatched ?? 0) > 0 ? labels.toLines : labels.another}
        </ButtonLink>
      </div>
    </div>
  )
}

function Ready({ upload, foreseen, request }: PartProps & { foreseen: readonly Foreseen[] }) {
  const { account, voice } = request
  const { texts, format } = voice
  const { statements: labels } = texts
  const { job, input } = upload
  const {
    matched,
    sums,
    paid_out: payouts = 0,
    unmatched,
    ignored,
    known,
    left_out,
    wrong,
  } = input.counts as NonNullable<typeof input.counts>
  const isNew = foreseen.length > 0
  return (
    <>
      {job.state === 'failed' && (
        <Banner tone="bad">{isOfStarter(job) ? describeCode(job, texts) : labels.failed}</Banner>
      )}
      <div class="card stack">
        <h2>{labels.foreseen}</h2>
        <ul class="will">
          {!isNew && known > 0 && <li>{labels.nothingNew}</li>}
          {isNew && (
            <li>
              {labels.wouldMatch(matched)} {matched > 0 && <Amounts amounts={sums} format={format} />}
            </li>
          )}
          {isNew && payouts > 0 && <li>{labels.wouldBePayouts(payouts)}</li>}
          {isNew && unmatched > 0 && <li>{labels.wouldList(unmatched)}</li>}
          {isNew && ignored > 0 && <li>{labels.wouldIgnore(ignored)}</li>}
          {isNew && known > 0 && <li>{labels.known(known)}</li>}
          {left_out > 0 && <li>{labels.leftOutLines(left_out)}</li>}
          {wrong > 0 && (
            <li>
              {labels.wrong(wrong)}
              <ul>
                {input.wrong.map(({ line, fault }) => (
                  <li key={line}>{labels.wrongAt(line, say(texts.faults, fault))}</li>
                ))}
              </ul>
            </li>
          )}
          {isNew && matched > 0 && <li>{labels.matchAbout}</li>}
        </ul>
        <div class="row">
          {isNew && (
            <PostButton action={paths.statement(account.id, job.id, 'match')} tone="main">
              {job.state === 'failed' ? labels.goOn : labels.match}
            </PostButton>
          )}
          <ButtonLink href={paths.statement(account.id, job.id, 'columns')}>
            {labels.changeColumns}
          </ButtonLink>
          <ButtonLink href={paths.statements(account.id)}>{labels.another}</ButtonLink>
        </div>
      </div>
      {isNew && <Table list={foreseenList(account.id)} rows={foreseen} voice={voice} hasHeading />}
    </>
  )
}

const foreseenList = (accountId: string): List<Foreseen> => ({
  caption: texts => texts.statements.sample,
  columns: [
    {
      label: texts => texts.statements.counterparty,
      place: 'name',
      cell: ({ line }, voice) => <Counterparty line={line} voice={voice} />,
    },
    ...lineColumns,
    {
      label: texts => texts.statements.why,
      place: 'line',
      cell: ({ line, order, becomes, payout }, voice) =>
        payout !== undefined ? (
          <PayoutLink of={payout} accountId={accountId} voice={voice} />
        ) : order === undefined || becomes === undefined ? (
          <LineState line={line} voice={voice} />
        ) : (
          <>
            {voice.texts.statements.order}{' '}
            <a href={paths.order(order.event_id, order.id)}>{order.reference}</a> <bdi>{order.buyer}</bdi>
            <Becomes becomes={becomes} currency={line.currency} voice={voice} />
          </>
        ),
    },
  ],
})

/** Says what the money would do for its order, unless it just pays it. */
function Becomes({
  becomes,
  currency,
  voice: { texts, format },
}: {
  becomes: Becoming
  currency: string
  voice: AccountRequest['voice']
}) {
  const { becomes: say } = texts.statements
  if (becomes.kind === 'enough') return null
  return (
    <div class="small">
      {becomes.kind === 'part' && say.part(format.money(becomes.lacking, currency))}
      {becomes.kind === 'excess' && say.excess(format.money(becomes.over, currency))}
      {becomes.kind === 'ended' && say.ended}
    </div>
  )
}

const here = ({ account, params }: AccountRequest) => paths.statement(account.id, params.file ?? '')

/** Has the lines matched as the page has said. */
export const matchStatement = button('account', {
  ...OF_STATEMENTS,
  path: '/a/{account}/statements/files/{file}/match',
  act: (tx, request) => uploads.start(tx, request.params.file ?? '', actorOf(request).who),
  entry: ({ params }) => ({
    ...{ action: 'statement.start', targetType: 'job' },
    ...(params.file !== undefined && { targetId: params.file }),
  }),
  next: (_, request) => ({ path: here(request) }),
  back: here,
})
