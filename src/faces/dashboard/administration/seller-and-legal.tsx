import { DAY } from '#base/time.ts'
import type { AccountRequest, Services } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import { MAILS_KEPT } from '#machinery/mail/cleaning.ts'
import { Markdown } from '#machinery/web/components/markdown.tsx'
import { choiceField, optionalTextField } from '#machinery/web/forms/field.ts'
import type { FormState, ValuesOf } from '#machinery/web/forms/form.ts'
import { FieldRows } from '#machinery/web/forms/form-view.tsx'
import {
  hasLines,
  type LegalKind,
  type LegalTexts,
  legalKinds,
  legalTextFields,
  linkName,
  MAX_LEGAL_TEXT,
  textName,
} from '#product/administration/accounts/legal.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import { type AccountDetails, sellerFields } from '#product/administration/accounts/schemas.ts'
import { JOB_RETENTION } from '#product/guests/imports/cleaning.ts'
import { UNMATCHED } from '#product/selling/bank-statements/cleaning.ts'
import { ABANDONED_KEPT, NETWORKS_KEPT } from '#product/selling/orders/cleaning.ts'
import type { Texts } from '#texts/texts.ts'

/** Where visitors find a text of an organizer. */
const places = ['link', 'text'] as const
type Place = (typeof places)[number]

const placeName = (kind: LegalKind) => `${kind}_from` as const

const placeField = (kind: LegalKind) =>
  choiceField(
    places,
    ({ legal }) => places.map(value => ({ value, label: legal[value] })),
    { label: ({ legal }) => legal[kind].from, help: ({ legal }) => legal[kind].about },
    'radios',
  )

const linkField = (kind: LegalKind) =>
  optionalTextField(sellerFields[linkName(kind)].wrapped, {
    label: ({ legal }) => legal[kind].url,
    control: { kind: 'input', type: 'text', inputmode: 'url' },
  })

const writtenField = (kind: LegalKind) =>
  optionalTextField(legalTextFields[textName(kind)].wrapped, {
    label: ({ legal }) => legal[kind].text,
    help: ({ legal }) => legal.markdown,
    control: { kind: 'area', rows: 12 },
  })

/** The fields that say who sells, in the order in which `SellerAndLegal` shows them. */
export const sellerAndLegalFields = {
  legal_name: optionalTextField(sellerFields.legal_name.wrapped, {
    label: ({ legal }) => legal.legalName,
    help: ({ legal }) => legal.legalNameHelp,
  }),
  address: optionalTextField(sellerFields.address.wrapped, {
    label: ({ legal }) => legal.address,
    control: { kind: 'area', rows: 3 },
  }),
  tax_id: optionalTextField(sellerFields.tax_id.wrapped, { label: ({ legal }) => legal.taxId }),
  imprint_from: placeField('imprint'),
  imprint_url: linkField('imprint'),
  imprint_text: writtenField('imprint'),
  privacy_from: placeField('privacy'),
  privacy_url: linkField('privacy'),
  privacy_text: writtenField('privacy'),
  terms_from: placeField('terms'),
  terms_url: linkField('terms'),
  terms_text: writtenField('terms'),
}

type Values = ValuesOf<typeof sellerAndLegalFields>

/** What the fields begin with. */
export interface LoadedSeller {
  details: AccountDetails
  texts: LegalTexts
  /** A privacy notice in the language of whoever edits, for an account that has none. */
  draft: string
}

/** Reads what the fields begin with. @throws Problem not_found */
export async function loadSeller(
  tx: ReadTx,
  { voice }: AccountRequest,
  { accessLogDays }: Services,
): Promise<LoadedSeller> {
  const details = await accounts.getDetails(tx)
  return {
    details,
    texts: await accounts.getLegalTexts(tx),
    draft: draftPrivacy(details, accessLogDays, voice.texts),
  }
}

/** Returns a draft of the privacy notice, from what this server really keeps and for how long. */
function draftPrivacy(
  { name, email, receipt_years: receiptYears, forget_after_days: guestDays }: AccountDetails,
  logDays: number,
  { legal }: Texts,
): string {
  return legal.privacyDraft({
    ...{ name, email, receiptYears, guestDays, logDays },
    abandonedDays: ABANDONED_KEPT / DAY,
    networkDays: NETWORKS_KEPT / DAY,
    mailDays: MAILS_KEPT / DAY,
    statementDays: UNMATCHED / DAY,
    programDays: JOB_RETENTION / DAY,
  })
}

/** Returns the values of the fields as they are shown first. */
export function sellerValues({ details, texts, draft }: LoadedSeller): Values {
  const { legal_name, address, tax_id, imprint_url, privacy_url, terms_url } = details
  const placeOf = (kind: LegalKind): Place => (details.written.includes(kind) ? 'text' : 'link')
  return {
    ...{ legal_name, address, tax_id, imprint_url, privacy_url, terms_url, ...texts },
    privacy_text: texts.privacy_text ?? draft,
    imprint_from: placeOf('imprint'),
    privacy_from: placeOf('privacy'),
    terms_from: placeOf('terms'),
  }
}

/** Returns the values of a form as the account keeps them: of a text and a link, the one that was chosen. */
export function sellerChanges<Some extends Values>({
  imprint_from,
  privacy_from,
  terms_from,
  ...values
}: Some): Omit<Some, `${LegalKind}_from`> {
  const chosen = { imprint: imprint_from, privacy: privacy_from, terms: terms_from }
  const left = legalKinds.map(kind => (chosen[kind] === 'text' ? linkName(kind) : textName(kind)))
  return { ...values, ...Object.fromEntries(left.map(name => [name, null])) }
}

interface SectionProps {
  loaded: LoadedSeller
  state: FormState
  texts: Texts
  /** Whether the texts are shown below their fields as visitors will see them. */
  isPreview: boolean
}

/**
 * Shows the fields that say who sells, as a section of a form. Of a link and a text, the style sheet hides the one that is not
 * chosen.
 */
export function SellerAndLegal({ loaded, state, texts, isPreview }: SectionProps) {
  const previewed = isPreview ? legalKinds.filter(kind => writtenIn(state, kind) !== '') : []
  return (
    <fieldset>
      <legend>{texts.legal.title}</legend>
      <div class="stack">
        <p class="help">{texts.legal.help}</p>
        <FieldRows state={state} texts={texts} names={['legal_name', 'address', 'tax_id']} />
        {legalKinds.map(kind => (
          <div key={kind} class="either stack">
            <FieldRows
              state={state}
              texts={texts}
              names={[placeName(kind), linkName(kind), textName(kind)]}
            />
            <SeePage kind={kind} loaded={loaded} texts={texts} />
            {previewed.includes(kind) && (
              <Preview kind={kind} state={state} texts={texts} isFirst={kind === previewed[0]} />
            )}
          </div>
        ))}
      </div>
    </fieldset>
  )
}

/** Returns the text that is typed and chosen. It is empty if a link is chosen. */
function writtenIn({ typed }: FormState, kind: LegalKind): string {
  return typed[placeName(kind)]?.[0] === 'text' ? (typed[textName(kind)]?.[0] ?? '').trim() : ''
}

/** Links to the page of a text that is saved here. An account without a link name has no page. */
function SeePage({ kind, loaded: { details }, texts }: Omit<SectionProps, 'state' | 'isPreview'> & OfKind) {
  if (details.slug === null || !details.written.includes(kind)) return null
  return (
    <p>
      <a href={paths.publicLegal(details.slug, kind)}>
        {texts.legal.see}
        <span class="hidden">: {texts.legal[kind].from}</span>
      </a>
    </p>
  )
}

interface OfKind {
  kind: LegalKind
}

interface PreviewProps extends OfKind, Pick<SectionProps, 'state' | 'texts'> {
  /** The button leads to the first of several previews. */
  isFirst: boolean
}

function Preview({ kind, state, texts, isFirst }: PreviewProps) {
  const heading = `${kind}-preview`
  return (
    <section class="card" id={isFirst ? 'preview' : undefined} aria-labelledby={heading}>
      <h2 id={heading}>
        {texts.legal.previewOf}
        <span class="hidden">: {texts.legal[kind].from}</span>
      </h2>
      <Markdown text={writtenIn(state, kind).slice(0, MAX_LEGAL_TEXT)} hasLines={hasLines(kind)} />
    </section>
  )
}
