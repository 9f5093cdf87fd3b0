import { type Foreseen, foresee } from '../../bank-statements/preview.ts'
import type { Upload } from '../../bank-statements/schemas.ts'
import * as uploads from '../../bank-statements/uploads.ts'
import { say } from '../../faults.ts'
import { Banner, ButtonLink, Facts, Head, Live, PostButton, Progress } from '../../web/components/parts.tsx'
import { type List, Table } from '../../web/lists/list.tsx'
import { Amounts } from '../amounts.tsx'
import { actorOf, type OfAccount } from '../asked.ts'
import { button } from '../button.ts'
import { isOfStarter, tellCode } from '../job-kinds.ts'
import { paths } from '../paths.ts'
import { showPage } from '../show.tsx'
import { Counterparty, LineState, lineColumns, OF_STATEMENTS } from '../statement-parts.tsx'

/** How often the progress is looked at, in seconds: with the script, and without it. */
const EVERY = 2
const REFRESH = 5
/** Lines that are shown with what would become of them. */
const SHOWN = 50

interface Loaded {
  upload: Upload
  foreseen: readonly Foreseen[]
}

/** A bank's file: what would become of its lines, how far they are matched, and what came of it. */
export const statementPage = showPage('account', {
  ...OF_STATEMENTS,
  path: '/a/{account}/statements/files/{file}',
  load: async (tx, { account, params }, { clock }): Promise<Loaded> => {
    const upload = await uploads.get(tx, account.id, params.file ?? '')
    const foreseen = upload.isReady
      ? await foresee(tx, account.id, upload.job.id, { limit: SHOWN, now: clock() })
      : []
    return { upload, foreseen }
  },
  view: ({ upload, foreseen }, asked) => {
    const { account, voice } = asked
    const { statements: said } = voice.texts
    const title = upload.input.name || said.file
    const { isUnderWay, isReady, isDone } = upload
    return {
      title,
      refresh: isUnderWay ? REFRESH : undefined,
      body: (
        <>
          <Head title={<bdi>{title}</bdi>} crumbs={<a href={paths.statements(account.id)}>{said.title}</a>} />
          <Live id="statement" every={isUnderWay ? EVERY : undefined}>
            {isUnderWay && <UnderWay upload={upload} asked={asked} />}
            {isDone && <Done upload={upload} asked={asked} />}
            {isReady && <Ready upload={upload} foreseen={foreseen} asked={asked} />}
            {!isUnderWay && !isDone && !isReady && (
              <div class="row">
                <ButtonLink href={paths.statement(account.id, upload.job.id, 'columns')} main>
                  {said.columnsTitle}
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
  asked: OfAccount
}

function UnderWay({ upload: { job }, asked: { voice } }: PartProps) {
  const { statements: said } = voice.texts
  return (
    <div class="card stack">
      <h2>{said.matching}</h2>
      <Progress label={said.matching} done={job.done} total={null} />
      <p>
        {said.progress(voice.format.number(job.done))}. {said.live}
      </p>
    </div>
  )
}

const settled = ['confirmed', 'kept', 'returned', 'unmatched', 'ignored'] as const

function Done({ upload: { job }, asked: { account, voice } }: PartProps) {
  const { statements: said } = voice.texts
  const counts = (job.outcome ?? {}) as Partial<Record<(typeof settled)[number], number>>
  const facts = settled
    .filter((name, place) => place === 0 || (counts[name] ?? 0) > 0)
    .map(name => [said.counts[name], voice.format.number(counts[name] ?? 0)] as const)
  return (
    <div class="card stack">
      <h2>{said.done}</h2>
      <Facts facts={facts} />
      <div class="row">
        <ButtonLink href={paths.statements(account.id)} main>
          {(counts.unmatched ?? 0) > 0 ? said.toLines : said.another}
        </ButtonLink>
      </div>
    </div>
  )
}

function Ready({ upload, foreseen, asked }: PartProps & { foreseen: readonly Foreseen[] }) {
  const { account, voice } = asked
  const { texts, format } = voice
  const { statements: said } = texts
  const { job, input } = upload
  const { matched, sums, unmatched, ignored, known, left_out, wrong } = input.counts as NonNullable<
    typeof input.counts
  >
  const isNew = foreseen.length > 0
  return (
    <>
      {job.state === 'failed' && (
        <Banner tone="bad">{isOfStarter(job) ? tellCode(job, texts) : said.failed}</Banner>
      )}
      <div class="card stack">
        <h2>{said.foreseen}</h2>
        <ul class="will">
          {!isNew && known > 0 && <li>{said.nothingNew}</li>}
          {isNew && (
            <li>
              {said.wouldMatch(matched)} {matched > 0 && <Amounts amounts={sums} format={format} />}
            </li>
          )}
          {isNew && unmatched > 0 && <li>{said.wouldList(unmatched)}</li>}
          {isNew && ignored > 0 && <li>{said.wouldIgnore(ignored)}</li>}
          {isNew && known > 0 && <li>{said.known(known)}</li>}
          {left_out > 0 && <li>{said.leftOutLines(left_out)}</li>}
          {wrong > 0 && (
            <li>
              {said.wrong(wrong)}
              <ul>
                {input.wrong.map(({ line, fault }) => (
                  <li key={line}>{said.wrongAt(line, say(texts.faults, fault))}</li>
                ))}
              </ul>
            </li>
          )}
          {isNew && matched > 0 && <li>{said.matchAbout}</li>}
        </ul>
        <div class="row">
          {isNew && (
            <PostButton action={paths.statement(account.id, job.id, 'match')} tone="main">
              {job.state === 'failed' ? said.goOn : said.match}
            </PostButton>
          )}
          <ButtonLink href={paths.statement(account.id, job.id, 'columns')}>{said.changeColumns}</ButtonLink>
          <ButtonLink href={paths.statements(account.id)}>{said.another}</ButtonLink>
        </div>
      </div>
      {isNew && <Table list={foreseenList} rows={foreseen} voice={voice} hasHeading />}
    </>
  )
}

const foreseenList: List<Foreseen> = {
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
      cell: ({ line, order }, voice) =>
        order === undefined ? (
          <LineState line={line} voice={voice} />
        ) : (
          <>
            {voice.texts.statements.order}{' '}
            <a href={paths.order(order.event_id, order.id)}>{order.reference}</a> <bdi>{order.buyer}</bdi>
          </>
        ),
    },
  ],
}

const here = ({ account, params }: OfAccount) => paths.statement(account.id, params.file ?? '')

/** Has the lines matched, as the page has said. */
export const matchStatement = button('account', {
  ...OF_STATEMENTS,
  path: '/a/{account}/statements/files/{file}/match',
  act: (tx, asked) => uploads.start(tx, asked.account.id, asked.params.file ?? '', actorOf(asked).who),
  entry: ({ params }) => ({
    ...{ action: 'statement.start', targetType: 'job' },
    ...(params.file !== undefined && { targetId: params.file }),
  }),
  next: (_, asked) => ({ path: here(asked) }),
  back: here,
})
