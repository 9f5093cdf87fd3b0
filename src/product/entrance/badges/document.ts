import { hasRoomForCode } from '#machinery/ticket-documents/badge-formats.ts'
import { badgePdf, type PrintedBadge } from '#machinery/ticket-documents/badge-pdf.ts'
import type { Asker } from '#machinery/ticket-documents/drawing/drawings.ts'
import type { Voice } from '#machinery/web/voice.ts'
import type { BadgeLayout } from '#product/catalog/events/badge-layout.ts'
import type { EventDetails } from '#product/catalog/events/schemas.ts'
import type { CarriedLook } from '#product/catalog/looks/schemas.ts'
import { printAnswer } from '#product/guests/questions/print-answer.ts'
import type { Question } from '#product/guests/questions/schemas.ts'
import type { Badge } from './schemas.ts'

/** What the badges of a print have in common. */
export interface BadgeSheet {
  layout: BadgeLayout
  event: Pick<EventDetails, 'title'>
  organizer: string
  /** Of the event, or else of the account. */
  logo: CarriedLook['logo']
  /** The types of the event in their order. */
  types: readonly { id: string; name: string }[]
  questions: readonly Question[]
  /** The label of the first sheet with which the badges begin, from 1. */
  first: number
  /** When they were printed, in milliseconds. The same print gives the same file. */
  at: number
  voice: Voice
}

/** Returns the PDF of a print. @throws as `Drawings.draw` */
export function drawBadges(badges: readonly Badge[], sheet: BadgeSheet, asker: Asker): Promise<Buffer> {
  const { layout, event, organizer, logo, first, at, voice } = sheet
  const texts = voice.texts.badges
  const document = {
    language: voice.format.language,
    title: texts.document(event.title),
    ...{ author: organizer, issuedAt: at, layout, first, logo: logo ?? undefined },
    badges: badges.map(badge => toBadge(badge, sheet)),
  }
  return badgePdf(document, asker)
}

function toBadge(badge: Badge, { layout, event, types, questions, voice }: BadgeSheet): PrintedBadge {
  const { badges: texts } = voice.texts
  const typeAt = Math.max(
    0,
    types.findIndex(({ id }) => id === badge.typeId),
  )
  return {
    title: event.title,
    name: badge.name,
    answer: answerOf(badge, layout, questions, voice),
    type: types[typeAt]?.name ?? '',
    typeAt,
    code: layout.qr && hasRoomForCode(layout) ? badge.code : null,
    codeLabel: texts.code,
    leftOut: texts.leftOut,
  }
}

function answerOf(
  { answers }: Badge,
  { question: key }: BadgeLayout,
  questions: readonly Question[],
  voice: Voice,
): string | null {
  const question = questions.find(each => each.key === key)
  const given = key === null ? undefined : answers[key]
  if (question === undefined || given === undefined || given.trim() === '') return null
  return printAnswer(question, given, voice)
}
