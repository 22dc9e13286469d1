import { Suspense, useSyncExternalStore } from 'react'
import { part } from '../part.tsx'
import { byHandStore, offerByHand } from './copied-by-hand.ts'

const CopyByHandDialog = part(() => import('./copy-by-hand-dialog.tsx'), { isSilent: true })

/** Once in the app; its dialog is loaded with the first text that the browser refuses to copy. */
export function CopyByHand() {
  const text = useSyncExternalStore(byHandStore.subscribe, byHandStore.getSnapshot)
  return text === null ? null : (
    <Suspense>
      <CopyByHandDialog text={text} onClose={() => offerByHand(null)} />
    </Suspense>
  )
}
