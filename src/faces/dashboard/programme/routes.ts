import type { Page } from '#faces/dashboard/frame/page.ts'
import { abstractPage } from './abstract.tsx'
import { confirmAbstract, unconfirmAbstract } from './abstract-after.tsx'
import { editAbstract } from './abstract-edit.tsx'
import { abstractFile } from './abstract-file.tsx'
import { abstractTemplate, uploadAbstracts } from './abstract-import.tsx'
import { abstractImport, startAbstractImport, stopAbstractImport } from './abstract-import-result.tsx'
import { abstractsLeftOut } from './abstract-left-out.ts'
import { newAbstract } from './abstract-new.tsx'
import { proposeDecision, takeProposalBack } from './abstract-proposal.tsx'
import { giveAbstract, takeAbstract } from './abstract-reviews.tsx'
import { abstractVersion } from './abstract-version.tsx'
import { abstractsPage } from './abstracts.tsx'
import { remindUnconfirmedOnes } from './abstracts-unconfirmed.tsx'
import { begunPage } from './begun.tsx'
import { callForm } from './call.tsx'
import { decideAbstracts } from './decide-abstracts.tsx'
import { decisionsPage } from './decisions.tsx'
import { decisionsCsv } from './decisions-csv.ts'
import { judgeNamesakes, namesakesPage } from './namesakes.tsx'
import { proposeDecisions } from './propose-decisions.tsx'
import { publishProgramme, unpublishProgramme } from './publish.tsx'
import { bookFile, filesZip, programmeCsv } from './publish-downloads.ts'
import { programmeTexts } from './publish-parts.tsx'
import { reopenAbstract } from './reopen-abstract.tsx'
import { remindReviewers, reviewPage } from './review.tsx'
import { assignReviews } from './review-assign.tsx'
import { inviteReviewers } from './review-invite.tsx'
import { reviewForm } from './review-settings.tsx'
import { removeReviewer, renewReviewer, reviewerPage } from './reviewer.tsx'
import { sendDecisions, stopDecisions } from './send-decisions.tsx'
import { submitterPage } from './submitter.tsx'
import { correctSubmitterEmail, moreTime, renewSubmitterLink } from './submitter-forms.tsx'
import { timetablePages } from './timetable/routes.ts'

export const programmePages: readonly Page[] = [
  abstractsPage,
  callForm,
  decideAbstracts,
  sendDecisions,
  stopDecisions,
  newAbstract,
  uploadAbstracts,
  abstractTemplate,
  abstractImport,
  abstractsLeftOut,
  startAbstractImport,
  stopAbstractImport,
  begunPage,
  submitterPage,
  moreTime,
  correctSubmitterEmail,
  renewSubmitterLink,
  abstractPage,
  abstractFile,
  confirmAbstract,
  unconfirmAbstract,
  remindUnconfirmedOnes,
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
  abstractVersion,
  editAbstract,
  reopenAbstract,
  decisionsPage,
  decisionsCsv,
  proposeDecisions,
  proposeDecision,
  takeProposalBack,
  ...timetablePages,
  namesakesPage,
  judgeNamesakes,
  publishProgramme,
  unpublishProgramme,
  programmeTexts,
  bookFile,
  programmeCsv,
  filesZip,
]
