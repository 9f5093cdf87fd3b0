import { ERASED_EMAIL } from '#base/words.ts'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import { FilledMarkdown, fill } from '#machinery/web/components/markdown.tsx'
import { ButtonLink } from '#machinery/web/components/parts.tsx'
import type { Proposal } from '#product/programme/abstracts/proposals.ts'
import { getSubmitted } from '#product/programme/abstracts/submitted.ts'
import { type DecisionPreview, nameKind, previewDecision } from '#product/programme/decisions/mails.ts'
import { presentersOf } from '#product/programme/decisions/presenters.ts'
import type { Terms } from '#product/programme/decisions/sending-schemas.ts'
import { hasComments } from '#product/programme/reviews/reviews.ts'
import * as submissions from '#product/programme/submissions/rules.ts'
import { textsIn } from '#texts/catalogue.ts'
import type { Language } from '#texts/languages.ts'

/** One page shows this many mails. */
export const PER_PAGE = 20

/** A mail as it would be sent, and to whom. */
export interface MailToShow {
  id: string
  preview: DecisionPreview
  contact: string
  presenters: readonly string[]
}

/** @param otherwise the language of those whose language nobody knows */
export async function readMail(
  tx: ReadTx,
  { abstract_id: id, decision, kind_id, note }: Proposal,
  terms: Terms,
  otherwise: Language,
): Promise<MailToShow> {
  const abstract = await getSubmitted(tx, id)
  const language = (await submissions.findByAbstract(tx, id))?.submitter.language ?? otherwise
  const isAccepted = decision === 'accepted'
  const kind = isAccepted ? await nameKind(tx, abstract, kind_id) : null
  const preview = await previewDecision(tx, abstract, decision, language, {
    ...{ decision, note, kind, comments: terms.comments && (await hasComments(tx, id)) },
    confirm_by: isAccepted ? terms.confirm_by : null,
    registration: isAccepted && terms.code !== null ? textsIn(language).decisionSending.codeHere : null,
  })
  return {
    ...{ id, preview, contact: abstract.contact.email },
    presenters: terms.presenters ? presentersOf(abstract).map(({ email }) => email) : [],
  }
}

/** Shows each mail filled in, a page of them at a time. */
export function Mails({
  mails,
  from,
  all,
  request,
}: {
  mails: readonly MailToShow[]
  from: number
  all: number
  request: EventRequest
}) {
  const { event, voice } = request
  const { texts, format } = voice
  const { decisionSending: labels } = texts
  const to = from + mails.length
  const pageAt = (at: number) => {
    const query = new URLSearchParams(request.query)
    query.set('from', String(at))
    return `${paths.sendDecisions(event.id)}?${query}#mails`
  }
  return (
    <section class="stack" aria-labelledby="mails">
      <h2 id="mails">{labels.mails}</h2>
      <p class="quiet">{labels.mailsAbout(format.number(from + 1), format.number(to), format.number(all))}</p>
      {mails.map(mail => (
        <MailCard key={mail.id} mail={mail} request={request} />
      ))}
      {(from > 0 || to < all) && (
        <p class="row">
          {from > 0 && <ButtonLink href={pageAt(from - PER_PAGE)}>{labels.earlier}</ButtonLink>}
          {to < all && <ButtonLink href={pageAt(to)}>{labels.further}</ButtonLink>}
        </p>
      )}
    </section>
  )
}

function MailCard({ mail, request }: { mail: MailToShow; request: EventRequest }) {
  const { event, voice } = request
  const { decisionSending: labels } = voice.texts
  const { text, values } = mail.preview
  const isErased = mail.contact === ERASED_EMAIL
  return (
    <article class="card stack">
      <h3>
        <a href={paths.abstract(event.id, mail.id)}>
          <bdi>{fill(text.subject, values)}</bdi>
        </a>
      </h3>
      <p class="small quiet">
        {isErased ? labels.toNobody : <bdi>{labels.to(mail.contact)}</bdi>}
        {mail.presenters.map(email => (
          <span key={email}>
            <br />
            <bdi>{labels.toPresenter(email)}</bdi>
          </span>
        ))}
      </p>
      <FilledMarkdown text={text.body} values={values} />
    </article>
  )
}
