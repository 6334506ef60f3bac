// Valid requests for the routes of jobs, files and pictures, for those of all routes.
import type { BookableSlot } from './app.ts'

/** The file and the job of these requests do not exist: only their form is valid. */
export const jobAndFileRequests = ({ slug, professionalId: id }: BookableSlot) => ({
  'GET /api/v1/pro/jobs/:id': { path: { id } },
  'POST /api/v1/pro/jobs/:id': { path: { id }, body: { action: 'complete', finalAmount: 480.5 } },
  'GET /api/v1/pro/jobs/:id/photos': { path: { id } },
  'POST /api/v1/pro/jobs/:id/photos': { path: { id }, body: { photos: [] } },
  'POST /api/v1/files/:id/complete': { path: { id } },
  'GET /api/v1/files/:id': { path: { id } },
  'GET /api/v1/pros/:id/pictures': { path: { id: slug } },
  'PUT /api/v1/pro/pictures': { body: { logo: null, cover: null, gallery: [] } },
})
