import type { Page } from '#faces/dashboard/frame/page.ts'
import { accessLogPage } from './access-log.tsx'
import { accountGeneral } from './account-general.tsx'
import { accountLegal, previewLegal } from './account-legal.tsx'
import { accountPersonalData } from './account-personal-data.tsx'
import { accountSite } from './account-site.tsx'
import { forgotten } from './forgotten.tsx'
import { invite } from './invite.tsx'
import { jobPage, stopJob } from './job.tsx'
import { newKey, revokeKey } from './key-forms.tsx'
import { keyList, showKey } from './keys.tsx'
import { join, joinAs, reset, setup, signInLink } from './links.tsx'
import { editMember, removeMember, resetMember } from './member.tsx'
import { endOtherSessions, endSession, profile } from './profile.tsx'
import { ownEmail, ownName, ownPassword } from './profile-forms.tsx'
import { recoveryCodes, secondFactor, secondFactorOff } from './second-factor.tsx'
import { secondStep, signIn, signOut } from './sign-in.tsx'
import { revokeInvitation, team } from './team.tsx'
import { webhookPage, webhookSecret } from './webhook.tsx'
import {
  disableWebhook,
  enableWebhook,
  pingWebhook,
  removeWebhook,
  rotateWebhook,
} from './webhook-actions.tsx'
import { deliveryPage, retryDelivery } from './webhook-delivery.tsx'
import { editWebhook, newWebhook } from './webhook-form.tsx'
import { confirmRetry, retryFailedForm, retryProgress, stopRetry } from './webhook-retries.tsx'
import { webhooksPage } from './webhooks.tsx'

export const administrationPages: readonly Page[] = [
  signIn,
  forgotten,
  secondStep,
  signOut,
  setup,
  join,
  joinAs,
  reset,
  signInLink,
  profile,
  ownName,
  ownEmail,
  ownPassword,
  secondFactor,
  secondFactorOff,
  recoveryCodes,
  endSession,
  endOtherSessions,
  team,
  invite,
  revokeInvitation,
  editMember,
  removeMember,
  resetMember,
  keyList,
  newKey,
  showKey,
  revokeKey,
  webhooksPage,
  newWebhook,
  webhookPage,
  editWebhook,
  webhookSecret,
  enableWebhook,
  disableWebhook,
  pingWebhook,
  rotateWebhook,
  removeWebhook,
  retryFailedForm,
  confirmRetry,
  retryProgress,
  stopRetry,
  deliveryPage,
  retryDelivery,
  accountGeneral,
  accountLegal,
  previewLegal,
  accountSite,
  accountPersonalData,
  accessLogPage,
  jobPage,
  stopJob,
]
