import type { Page } from '#faces/dashboard/frame/page.ts'
import { abstractPage } from './abstract.tsx'
import { abstractFile } from './abstract-file.tsx'
import { abstractTemplate, uploadAbstracts } from './abstract-import.tsx'
import { abstractImport, startAbstractImport, stopAbstractImport } from './abstract-import-result.tsx'
import { newAbstract } from './abstract-new.tsx'
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
  newAbstract,
  uploadAbstracts,
  abstractTemplate,
  abstractImport,
  startAbstractImport,
  stopAbstractImport,
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
