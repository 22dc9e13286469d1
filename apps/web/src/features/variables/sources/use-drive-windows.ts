import { DRIVE_CONNECTED_MESSAGE, pickedDriveFile } from '@catenary/contracts'
import { useCallback, useEffect, useRef } from 'react'
import * as z from 'zod'
import { apiPath } from '../../../lib/api.ts'

const POPUP_FEATURES = 'popup,width=760,height=640'

const connected = z.object({ type: z.literal(DRIVE_CONNECTED_MESSAGE) })
type PickedDriveFile = z.infer<typeof pickedDriveFile>

export interface DriveWindowsOptions {
  onConnected: () => void
  onPicked?: (file: PickedDriveFile) => void
}

/** Opens our pages for Google Drive in windows and listens to their messages only. */
export function useDriveWindows({ onConnected, onPicked }: DriveWindowsOptions) {
  const popup = useRef<Window | null>(null)
  const hear = useRef({ onConnected, onPicked })
  useEffect(() => {
    hear.current = { onConnected, onPicked }
  })

  useEffect(() => {
    const listen = (event: MessageEvent) => {
      const isOurs = event.origin === location.origin && event.source === popup.current
      if (!isOurs || popup.current === null) return
      const file = pickedDriveFile.safeParse(event.data)
      if (file.success) hear.current.onPicked?.(file.data)
      else if (connected.safeParse(event.data).success) hear.current.onConnected()
    }
    // Google's pages may cut the way back to this window: then coming back to it tells.
    const comeBack = () => popup.current && hear.current.onConnected()
    window.addEventListener('message', listen)
    window.addEventListener('focus', comeBack)
    return () => {
      window.removeEventListener('message', listen)
      window.removeEventListener('focus', comeBack)
    }
  }, [])

  const open = useCallback((path: string): boolean => {
    popup.current = window.open(path, 'catenary-google-drive', POPUP_FEATURES)
    popup.current?.focus()
    return popup.current !== null
  }, [])
  return {
    openPicker: () => open(apiPath('GET /api/google-drive/picker', {})),
    /** In a window, or where the browser blocks it in this one, and back. */
    connect: () => {
      if (open(apiPath('GET /api/auth/google', { query: { popup: '1' } }))) return
      const returnTo = location.pathname + location.search
      location.assign(apiPath('GET /api/auth/google', { query: { returnTo } }))
    },
  }
}
