// The tools of the pro server, in the order of tools/list.
import type { ProCaller } from '../../auth/caller.ts'
import type { Tool } from '../server/tool.ts'
import { chatOnThread } from './chat-on-thread.ts'
import { confirmAction } from './confirm-action.ts'
import { createThread } from './create-thread.ts'
import { dismissAction } from './dismiss-action.ts'
import { getAssessment, prepareAssessmentNotes } from './assessment-notes.ts'
import { getAvailability } from './get-availability.ts'
import { getJob, listJobMedia } from './get-job.ts'
import { getLead } from './get-lead.ts'
import { getProposalStatus } from './get-proposal-status.ts'
import { getQuote } from './get-quote.ts'
import { getThread } from './get-thread.ts'
import { listBookings } from './list-bookings.ts'
import { listJobs } from './list-jobs.ts'
import { listLeads } from './list-leads.ts'
import { getTasks } from './get-tasks.ts'
import { listReviews } from './list-reviews.ts'
import { listQuotes } from './list-quotes.ts'
import { listServices } from './list-services.ts'
import { listThreads } from './list-threads.ts'
import { prepareCustomerMessage } from './prepare-customer-message.ts'
import { prepareDayBrief } from './prepare-day-brief.ts'
import { prepareJobSpec } from './prepare-job-spec.ts'
import { prepareQuoteDraft } from './prepare-quote-draft.ts'
import { runAgent, runAgentOnThread } from './run-agent.ts'
import {
  updateAvailability,
  updateBusinessEntity,
  updateBusinessProfile,
  updatePublicProfile,
  updateQuoteContent,
  updateServiceContent,
  updateServicePricing,
  updateSiteConfig,
} from './editing-tools.ts'
import { viewAnalytics } from './view-analytics.ts'

export const proTools: readonly Tool<ProCaller>[] = [
  listLeads,
  getLead,
  listQuotes,
  getQuote,
  listJobs,
  getJob,
  getAssessment,
  listJobMedia,
  listBookings,
  listServices,
  getAvailability,
  listReviews,
  viewAnalytics,
  getTasks,
  getProposalStatus,
  prepareQuoteDraft,
  prepareAssessmentNotes,
  prepareDayBrief,
  updateQuoteContent,
  prepareJobSpec,
  prepareCustomerMessage,
  updateServicePricing,
  updateAvailability,
  updateBusinessProfile,
  updatePublicProfile,
  updateBusinessEntity,
  updateSiteConfig,
  updateServiceContent,
  confirmAction,
  dismissAction,
  runAgent,
  runAgentOnThread,
  createThread,
  listThreads,
  getThread,
  chatOnThread,
]
