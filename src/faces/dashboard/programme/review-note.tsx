import type { AccountRequest } from '#faces/dashboard/frame/page-request.ts'

/** Tells a member who only reviews what will be shown here. It renders nothing for other roles. */
export function ReviewNote({ request: { member, voice } }: { request: AccountRequest }) {
  if (member.role !== 'reviewer') return null
  return <p class="card">{voice.texts.abstracts.noneToReview}</p>
}
