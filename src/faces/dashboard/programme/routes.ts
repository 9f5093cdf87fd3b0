import type { Page } from '#faces/dashboard/frame/page.ts'
import { abstractPage } from './abstract.tsx'
import { abstractFile } from './abstract-file.tsx'
import { giveAbstract, takeAbstract } from './abstract-reviews.tsx'
import { abstractsPage } from './abstracts.tsx'
import { callForm } from './call.tsx'
import { decideAbstracts } from './decide-abstracts.tsx'
import { remindReviewers, reviewPage } from './review.tsx'
import { assignReviews } from './review-assign.tsx'
import { inviteReviewers } from './review-invite.tsx'
import { reviewForm } from './review-settings.tsx'
import { removeReviewer, renewReviewer, reviewerPage } from './reviewer.tsx'

export const programmePages: readonly Page[] = [
  abstractsPage,
  callForm,
  decideAbstracts,
  abstractPage,
  abstractFile,
  giveAbstract,
  takeAbstract,
  reviewPage,
  reviewForm,
  inviteReviewers,
  assignReviews,
  remindReviewers,
  reviewerPage,
  renewReviewer,
  removeReviewer,
]
