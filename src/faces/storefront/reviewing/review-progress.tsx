import type { ReviewProps } from './review-visits.ts'

type Shown = Pick<ReviewProps, 'queue' | 'round' | 'voice'>

/** Says how many of their reviews a reviewer has done. */
export function Progress({ queue, voice }: Pick<Shown, 'queue' | 'voice'>) {
  const done = queue.filter(({ isDone }) => isDone).length
  const { format, texts } = voice
  return (
    <span class="strong">{texts.reviews.progress(format.number(done), format.number(queue.length))}</span>
  )
}

/** Says until when reviews are taken. */
export function Until(props: Pick<Shown, 'round' | 'voice'>) {
  return <span>{props.voice.texts.reviews.until(closingOf(props))}</span>
}

/** Returns when reviews end, with the zone of the event: reviewers live in many. */
export function closingOf({
  round: { closes_at },
  voice: { format },
}: Pick<Shown, 'round' | 'voice'>): string {
  return `${format.dateTime(closes_at)} (${format.zone(closes_at)})`
}
