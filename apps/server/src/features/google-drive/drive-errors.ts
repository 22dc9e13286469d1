import type { DriveProblem } from '@catenary/contracts'
import { AppError } from '../../errors.ts'

export function notConfigured(): AppError {
  const message =
    'Google Drive is not set up here. An administrator must set GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET.'
  return new AppError('conflict', message, { details: problem('not_configured') })
}

export function notConnected(
  message = 'Google Drive is not connected. Connect it, then try again.',
): AppError {
  return new AppError('conflict', message, { details: problem('not_connected') })
}

/** Google took the connection back: its owner, an admin of theirs, or time. */
export function connectionEnded(): AppError {
  return notConnected('Google no longer lets Catenary read your Google Drive. Connect it again.')
}

/** Never in Google's own words: those may quote what was sent. */
export function googleFailed(message: string, cause?: unknown): AppError {
  return new AppError('upstream', message, { cause })
}

function problem(googleDrive: DriveProblem['googleDrive']): DriveProblem {
  return { googleDrive }
}
