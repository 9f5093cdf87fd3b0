import type { Problem } from '#base/problem.ts'
import { Banner, Facts, Pill } from '#machinery/web/components/parts.tsx'
import { faultOf } from '#machinery/web/forms/error-summary.tsx'
import { type FormState, isRefused } from '#machinery/web/forms/form.ts'
import { deadlineFor } from '#product/programme/calls/deadline.ts'
import { deadlineText } from '#product/programme/calls/deadline-text.ts'
import { AbstractView } from '#product/programme/submissions/abstract-view.tsx'
import type { Content } from '#product/programme/submissions/content.ts'
import type { Formulas } from '#product/programme/submissions/formulas.ts'
import type { Counts } from '#product/programme/submissions/rows.ts'
import { SubmissionForm } from '#product/programme/submissions/submission-form.tsx'
import type { Texts } from '#texts/texts.ts'
import { Guarded } from '../guarded.tsx'
import { Contact } from '../pages/contact.tsx'
import { Frame } from '../pages/order-page.tsx'
import { Autosave, WritingScript } from '../self-saving.tsx'
import { inSpeech, voiceOf } from '../voice.ts'
import { AfterDecisionCards } from './after-cards.tsx'
import { Ask, Refused } from './ask.tsx'
import { Deadline } from './deadline.tsx'
import { FILE_CARD, FileCard } from './file-card.tsx'
import { FormulaNote } from './formula-note.tsx'
import { NamedNote } from './named-note.tsx'
import { SlotCard } from './slot-card.tsx'
import type { BriefSubmission, Spoken, SubmissionView } from './submission-view.ts'

export type SubmissionProps = SubmissionView & Spoken

const TONES = {
  draft: 'warn',
  submitted: 'good',
  in_review: 'good',
  accepted: 'good',
  rejected: 'off',
  withdrawn: 'off',
} as const

/** Returns where a submission stands, as its person reads it. */
export function stateOf({ abstract }: Pick<BriefSubmission, 'abstract'>): keyof typeof TONES {
  if (abstract === undefined) return 'draft'
  return abstract.withdrawn_at === null ? abstract.status : 'withdrawn'
}

export function StatePill({ of, voice }: { of: Pick<BriefSubmission, 'abstract'> } & Pick<Spoken, 'voice'>) {
  const state = stateOf(of)
  return <Pill tone={TONES[state]}>{voice.texts.calls.states[state]}</Pill>
}

/** Returns the title of a submission: as it is typed, or else as it was sent. */
export function titleOf(
  { submission, abstract }: Pick<BriefSubmission, 'submission' | 'abstract'>,
  { voice }: Pick<Spoken, 'voice'>,
): string {
  const typed = submission.draft?.typed.title?.[0]?.trim()
  return typed || abstract?.title || voice.texts.calls.untitled
}

/** What the page says of what its person has just done, by the name in its address. */
const JUST = {
  changed: ({ calls }: Texts) => calls.changed,
  days: ({ afterDecision }: Texts) => afterDecision.daysSaved,
  presenter: ({ afterDecision }: Texts) => afterDecision.presenterSaved,
} as const

/** The page of a submission shows where it stands and what its person can do. */
export function SubmissionDocument({
  just,
  problem,
  fileProblem,
  ...props
}: SubmissionProps & {
  /** What its person has just done. */
  just: keyof typeof JUST | 'sent' | undefined
  problem?: Problem | undefined
  fileProblem: Problem | undefined
}) {
  const { submission, sent, path, isOpen, call, speech, voice, submitter, event } = props
  const { calls } = voice.texts
  const { format } = voice
  const to = (what: string) => inSpeech(speech, `${path}/${what}`)
  const state = stateOf({ abstract: sent?.abstract })
  const title =
    just === 'sent'
      ? calls.sentTitle
      : titleOf({ submission: props.submission, abstract: props.sent?.abstract }, props)
  const until = deadlineFor(call, submitter.late_until)
  return (
    <Frame {...props} title={title} here={path} isRefused={(problem ?? fileProblem) !== undefined}>
      <Refused problem={problem} {...props} />
      {just !== undefined && just !== 'sent' && (
        <Banner tone="good">
          <p role="status">{JUST[just](voice.texts)}</p>
        </Banner>
      )}
      <header class="stack">
        <h1 dir="auto">
          <bdi>{title}</bdi>
        </h1>
        <p>
          <StatePill of={{ abstract: sent?.abstract }} voice={voice} />
        </p>
        {sent !== undefined && state !== 'withdrawn' && <p>{calls.sentAbout(sent.abstract.code)}</p>}
        {sent === undefined && <p>{calls.notSent}</p>}
        {state === 'withdrawn' && <p>{calls.withdrawn}</p>}
      </header>
      {!submission.is_confirmed && !submitter.is_confirmed && (
        <Banner tone="warn">
          <p>{calls.unconfirmed}</p>
        </Banner>
      )}
      {sent !== undefined && submission.draft !== null && isOpen && (
        <Banner tone="warn">
          <p>{calls.unsentChanges}</p>
        </Banner>
      )}
      {sent?.abstract.decision_note != null && (
        <section class="card" aria-labelledby="note">
          <h2 id="note">{calls.noteOf}</h2>
          <p class="lines" dir="auto">
            {sent.abstract.decision_note}
          </p>
        </section>
      )}
      <AfterDecisionCards {...props} />
      {isOpen && (
        <p class="row no-print">
          <a
            class={`button ${sent === undefined || submission.draft !== null ? 'main' : ''}`}
            href={to('edit')}
          >
            {sent === undefined ? calls.goOn : calls.change}
          </a>
        </p>
      )}
      <SlotCard {...props} session={props.session} voice={voiceOf(speech, event.timezone)} />
      <FileCard {...props} fileProblem={fileProblem} />
      {sent !== undefined && (
        <>
          <AbstractView content={sent.content} formulas={sent.formulas} call={call} voice={voice} />
          <Facts
            facts={[
              [calls.code, sent.abstract.code],
              [calls.sentAt, format.dateTime(sent.abstract.submitted_at ?? submission.created_at)],
              [
                calls.deadline,
                deadlineText({ closes_at: until, zone: call.zone }, event.timezone, speech.language),
              ],
            ]}
          />
        </>
      )}
      {state !== 'withdrawn' && (
        <p class="no-print">
          <a class="button plain" href={to('withdraw')}>
            {sent === undefined ? calls.forget : calls.withdraw}
          </a>
        </p>
      )}
      <Contact address={event.contact_email} voice={voice} />
    </Frame>
  )
}

/** What a form of an abstract that is being written needs beside the abstract. */
export interface EditProps {
  state: FormState
  counts: Counts
  /** When the form was shown, sealed. */
  shown: string
  revision: number
  /** Why a file that was sent from here is refused. */
  fileProblem: Problem | undefined
}

export function EditDocument({
  state,
  counts,
  shown,
  revision,
  fileProblem,
  ...props
}: SubmissionProps & EditProps) {
  const { submission, submitter, sent, path, call, event, speech, voice } = props
  const { calls } = voice.texts
  const title = calls.editTitle(
    titleOf({ submission: props.submission, abstract: props.sent?.abstract }, props),
  )
  const to = (what: string) => inSpeech(speech, `${path}${what}`)
  const refused = isRefused(state) || fileProblem !== undefined
  const lacking = faultOf(state, 'file', voice.texts)
  return (
    <Frame {...props} title={title} here={`${path}/edit`} isRefused={refused} head={<WritingScript />}>
      <h1 dir="auto">
        <bdi>{title}</bdi>
      </h1>
      {sent !== undefined && submission.draft !== null && (
        <Banner tone="warn">
          <p>{calls.stands(voice.format.dateTime(sent.abstract.submitted_at ?? submission.created_at))}</p>
        </Banner>
      )}
      {!refused && submission.draft !== null && (
        <p class="quiet" role="status" id="saved">
          {calls.saved(voice.format.time(submission.updated_at))} {sent === undefined && calls.savedUnsent}
        </p>
      )}
      {lacking !== undefined && (
        <Banner tone="bad">
          <p role="alert">
            <a href={`#${FILE_CARD}`}>{lacking}</a>
          </p>
        </Banner>
      )}
      <Deadline call={call} timezone={event.timezone} voice={voice} />
      <SubmissionForm
        {...{ state, call, counts, voice, revision }}
        before={<Guarded shown={shown} voice={voice} />}
        isNew={false}
        email={submitter.email}
        action={to('/edit')}
        sendAction={to('/edit/send')}
        // What the form shows is not what is saved while it is refused, so nothing could be told from it.
        after={
          state.theirs.size === 0 &&
          state.problem === undefined && (
            <Autosave address={to('/edit/save')} gone={({ calls }) => calls.bySelf.gone} voice={voice} />
          )
        }
        leave={to('')}
        leaveText={voice.texts.page.leave}
      />
      <FileCard {...props} isEdit fileProblem={fileProblem} />
    </Frame>
  )
}

/** Shows an abstract as it would be sent, and asks for one click. */
export function SendDocument({
  content,
  formulas,
  problem,
  ...props
}: SubmissionProps & { content: Content; formulas: Formulas; problem: Problem | undefined }) {
  const { path, call, speech, voice, submission, file } = props
  const { calls } = voice.texts
  return (
    <Frame {...props} title={calls.checkTitle} here={`${path}/send`} isRefused={problem !== undefined}>
      <h1>{calls.checkTitle}</h1>
      <Refused problem={problem} {...props} />
      <p class="quiet">{calls.checkAbout}</p>
      <NamedNote {...props} content={content} />
      <FormulaNote sections={content.sections} formulas={formulas} voice={voice} />
      <AbstractView content={content} formulas={formulas} call={call} voice={voice} />
      {file !== undefined && <Facts facts={[[calls.file, <bdi key="file">{file.name}</bdi>]]} />}
      <form method="post" action={inSpeech(speech, `${path}/send`)}>
        <input type="hidden" name="seen" value={submission.draft_revision} />
        <div class="end-bar">
          <button type="submit" class="button main">
            {calls.sendNow}
          </button>
          <a class="button plain" href={inSpeech(speech, `${path}/edit`)}>
            {calls.change}
          </a>
        </div>
      </form>
    </Frame>
  )
}

/** Asks before an abstract is withdrawn, or a draft deleted. */
export function WithdrawDocument({ problem, ...props }: SubmissionProps & { problem: Problem | undefined }) {
  const { path, sent, speech, voice } = props
  const { calls } = voice.texts
  const isDraft = sent === undefined
  const title = isDraft ? calls.forgetTitle : calls.withdrawTitle
  return (
    <Frame {...props} title={title} here={`${path}/withdraw`} isRefused={problem !== undefined}>
      <h1>{title}</h1>
      <Refused problem={problem} {...props} />
      <p>
        <bdi class="strong">
          {titleOf({ submission: props.submission, abstract: props.sent?.abstract }, props)}
        </bdi>
      </p>
      <Ask
        will={isDraft ? calls.forgetWill : calls.withdrawWill}
        action={inSpeech(speech, `${path}/withdraw`)}
        submit={isDraft ? calls.forgetSubmit : calls.withdrawSubmit}
        leave={inSpeech(speech, path)}
        leaveText={calls.keep}
      />
    </Frame>
  )
}
