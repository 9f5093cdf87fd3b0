import { createHash } from 'node:crypto'
import { fold } from '#base/fold.ts'
import type { FieldFault } from '#machinery/web/forms/form.ts'
import { fieldOf } from '#product/guests/questions/answers.ts'
import { splitAnswer } from '#product/guests/questions/form.tsx'
import { type Call, offered, type Topic } from '#product/programme/calls/schemas.ts'
import { askedOf, withoutDuties } from '#product/programme/submissions/answers.ts'
import type { Content } from '#product/programme/submissions/content.ts'
import { affiliationField, authorField, PRESENTER } from '#product/programme/submissions/rows.ts'
import type { Draft } from '#product/programme/submissions/schemas.ts'
import { checkWhole, type FormOf } from '#product/programme/submissions/sent-form.ts'
import { headingsOf, sectionField } from '#product/programme/submissions/submission-fields.ts'
import type { Language } from '#texts/languages.ts'
import type { Column, Target } from './columns.ts'
import { readAffiliations, readAuthors } from './people.ts'

/** A line as it would be typed into the form of an abstract. */
export interface ReadLine {
  draft: Draft
  of: FormOf
  /** The line is known again by it: by its own reference, or else by its title and first author. */
  key: string
}

/** @param language of the text, where the line names none */
export function readLine(
  cells: readonly string[],
  targets: readonly Target[],
  call: Call,
  language: Language,
): ReadLine {
  const cell = (column: Column) => cells[targets.indexOf(column)]?.trim() ?? ''
  const authors = readAuthors(cell('authors'))
  const affiliations = readAffiliations(cell('affiliations'))
  const [first] = authors
  const typed: Record<string, string[]> = {
    'contact.name': [cell('name') || [first?.given, first?.family].filter(Boolean).join(' ')],
    'contact.email': [cell('email') || (first?.email ?? '')],
    'contact.phone': [cell('phone')],
    title: [cell('title')],
    topic: [findChoice(call.topics, cell('topic'))],
    kind: [findChoice(call.kinds, cell('kind'))],
    language: [cell('language').toLowerCase() || language],
    keywords: [cell('keywords').replaceAll('\n', ', ')],
  }
  for (const [at, heading] of headingsOf(call).entries()) {
    const column = targets.findIndex(
      target =>
        (heading === '' && target === 'text') ||
        (typeof target === 'object' && target !== null && 'section' in target && target.section === at),
    )
    typed[sectionField(heading)] = [cells[column]?.trim() ?? '']
  }
  for (const question of askedOf(call)) {
    const column = targets.findIndex(
      target =>
        typeof target === 'object' &&
        target !== null &&
        'question' in target &&
        target.question === question.id,
    )
    typed[fieldOf(question)] = splitAnswer(question, cells[column]?.trim() || null)
  }
  for (const [at, author] of authors.entries()) {
    for (const part of ['given', 'family', 'email', 'orcid', 'affiliations'] as const)
      typed[authorField(at, part)] = [author[part]]
  }
  for (const [at, name] of affiliations.entries()) typed[affiliationField(at)] = [name]
  typed[PRESENTER] = [String(findPresenter(authors, cell('presenter')))]
  const reference = cell('reference')
  return {
    draft: { typed, authors: Math.max(1, authors.length), affiliations: affiliations.length },
    // A file beside an abstract does not come in a table, nor each answer.
    of: { call: withoutDuties(call), isNew: true, file: {}, language },
    key: hash(
      reference === ''
        ? ['title', fold(cell('title')), fold(first?.given ?? ''), fold(first?.family ?? '')]
        : ['reference', reference],
    ),
  }
}

/** Returns who the line is of and what it says, or what is wrong with it by the names of fields. */
export function checkLine({
  draft,
  of,
}: ReadLine): { email: string; content: Content } | { faults: ReadonlyMap<string, FieldFault> } {
  return checkWhole(draft, of)
}

/** Where nobody is marked or named, the first author presents. */
function findPresenter(authors: ReturnType<typeof readAuthors>, named: string): number {
  const marked = authors.findIndex(({ isMarked }) => isMarked)
  if (named === '') return Math.max(0, marked)
  const byNumber = /^\d{1,3}$/.test(named) ? Number(named) - 1 : -1
  const byName = authors.findIndex(({ given, family }) => fold(`${given} ${family}`.trim()) === fold(named))
  // What names nobody stays wrong.
  return byNumber >= 0 ? byNumber : byName < 0 ? authors.length : byName
}

/** Returns the id of the choice of that name. What is none of them stays as it is, and is refused. */
function findChoice(choices: readonly Topic[], name: string): string {
  return offered(choices).find(choice => fold(choice.name) === fold(name))?.id ?? name
}

function hash(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}
