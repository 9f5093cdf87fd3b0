import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { Banner, ButtonLink, Facts, Mail, NamedLink } from '#machinery/web/components/parts.tsx'
import { withQuery } from '#machinery/web/link.ts'
import type { Kind } from '#product/programme/calls/schemas.ts'
import { AbstractText } from '#product/programme/submissions/abstract-text.tsx'
import { AnswerList } from '#product/programme/submissions/answer-list.tsx'
import { isErased } from '#product/programme/submissions/submitters.ts'
import type { Texts } from '#texts/texts.ts'
import { FileLink } from './abstract-file.tsx'
import { addressOf, readAbstractQuery } from './abstract-query.ts'
import type { Read } from './abstract-read.ts'
import { ConfirmedPill, ForSubmitter, MoreUntil } from './submitter.tsx'

type Of<Name extends keyof Read> = Pick<Read, Name> & { request: EventRequest }

/** Shows the text of an abstract, in the sections that its call asked for. */
export function TextCard({
  abstract,
  sections,
  formulas,
  submitted,
  named,
  request,
}: Of<'abstract' | 'sections' | 'formulas' | 'submitted' | 'named'>) {
  const { abstracts: texts } = request.voice.texts
  const lang = nameLanguage(abstract.language, request) === undefined ? undefined : abstract.language
  return (
    <section class="card stack" aria-labelledby="text">
      <h2 id="text">{texts.text}</h2>
      {named.length > 0 && (
        <Banner tone="warn">
          <p>
            <bdi>{texts.named(request.voice.format.list(named))}</bdi>
          </p>
        </Banner>
      )}
      {sections === undefined ? (
        <p class="written" dir="auto">
          {abstract.abstract}
        </p>
      ) : (
        sections.map(({ heading, text }, at) => (
          <div key={at}>
            {heading !== '' && (
              <h3>
                <bdi>{heading}</bdi>
              </h3>
            )}
            <div class="prose" dir="auto" lang={lang ?? undefined}>
              <AbstractText text={text} formulas={formulas} />
            </div>
          </div>
        ))
      )}
      {submitted !== undefined && abstract.withdrawn_at === null && (
        <div class="row">
          <ButtonLink
            href={withQuery(
              paths.editAbstract(request.event.id, abstract.id),
              readAbstractQuery(request).query,
            )}
          >
            {texts.edit}
          </ButtonLink>
        </div>
      )}
    </section>
  )
}

/** Returns the name of a language in that of the reader. @returns undefined for none, or one that nobody knows */
function nameLanguage(tag: string | null, { voice }: EventRequest): string | undefined {
  if (tag === null) return undefined
  try {
    return new Intl.DisplayNames([voice.format.language], { type: 'language' }).of(tag)
  } catch {
    return undefined
  }
}

function nameKind({ name, minutes }: Kind, { calls }: Texts): string {
  return minutes === null ? name : `${name} (${calls.minutes(minutes)})`
}

/** Shows what an abstract is about, and its people. */
export function About(props: Of<'abstract' | 'topic' | 'kind' | 'submitted' | 'file' | 'call' | 'answers'>) {
  const { abstract, topic, kind, request } = props
  const { texts } = request.voice
  const { abstracts: labels } = texts
  const { keywords, file_name } = abstract
  const facts = [
    [labels.topic, topic],
    [labels.kind, kind && nameKind(kind, texts)],
    [labels.language, nameLanguage(abstract.language, request)],
    [labels.keywords, keywords],
    [labels.file, file_name],
  ] as const
  const known = facts.filter(([, value]) => value !== undefined && value !== null)
  return (
    <section class="card stack" aria-labelledby="about">
      <h2 id="about">{labels.about}</h2>
      {known.length > 0 && (
        <Facts facts={known.map(([name, value]) => [name, <bdi key={name}>{value}</bdi>])} />
      )}
      <FileLink file={props.file} request={request} />
      <AnswerList answers={props.answers} voice={request.voice} />
      <Authors abstract={abstract} request={request} />
      <Contact abstract={abstract} request={request} />
      <Submitter submitted={props.submitted} call={props.call} request={request} />
    </section>
  )
}

function Authors({ abstract: { authors }, request }: Of<'abstract'>) {
  const { abstracts: texts } = request.voice.texts
  return (
    <div>
      <h3>{texts.authors}</h3>
      <ul class="named">
        {authors.map(({ name, email, affiliation, presenting }, at) => (
          <li key={at}>
            <b>
              <bdi>{name}</bdi>
            </b>
            {presenting && <span class="quiet"> ({texts.presents})</span>}
            {affiliation !== null && (
              <div class="small">
                <bdi>{affiliation}</bdi>
              </div>
            )}
            {email !== null && (
              <div class="small">
                <Mail address={email} />
              </div>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}

function Contact({ abstract: { contact }, request }: Of<'abstract'>) {
  return (
    <div>
      <h3>{request.voice.texts.abstracts.contact}</h3>
      <p>
        <bdi>{contact.name}</bdi>
      </p>
      <p class="small">
        <Mail address={contact.email} />
      </p>
      {contact.phone !== null && (
        <p class="small">
          <bdi>{contact.phone}</bdi>
        </p>
      )}
    </div>
  )
}

/** Says who has submitted it, and whether the mailed link has reached them. */
function Submitter({ submitted, call, request }: Of<'submitted' | 'call'>) {
  const { abstracts: texts } = request.voice.texts
  if (submitted === undefined) return null
  const { submission, submitter } = submitted
  if (isErased(submitter)) {
    return (
      <div>
        <h3>{texts.submitter}</h3>
        <p>{submitter.name}</p>
      </div>
    )
  }
  return (
    <>
      <div>
        <h3>{texts.submitter}</h3>
        <p>
          <NamedLink href={paths.submitter(request.event.id, submitter.id)} name={submitter.name} />
        </p>
        <p>
          <Mail address={submitter.email} />
        </p>
        <p>
          <ConfirmedPill isConfirmed={submission.is_confirmed} request={request} />
        </p>
        {!submission.is_confirmed && <p class="small quiet">{texts.unconfirmedAbout}</p>}
        <MoreUntil submitter={submitter} call={call} request={request} />
      </div>
      <ForSubmitter submitter={submitter} request={request} from={addressOf(request)} />
    </>
  )
}
