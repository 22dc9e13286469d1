import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { loadFrame, preloadLibrary } from './app/router.tsx'
import { followDensity } from './lib/appearance/density.ts'
import { followTheme } from './lib/appearance/theme.ts'
import { installDiagnostics } from './lib/diagnostics.ts'
import { watchHistorySteps } from './lib/history-steps.ts'
import { keepCompositions } from './lib/keyboard/pressed.ts'
import { fetchPartsAhead } from './lib/parts.ts'
import { showReloadToast } from './lib/reload.ts'
import { cspNonce } from './lib/utils.ts'

/** Shows the app. Called, not run by being loaded: another page's modules may lie in the same chunk. */
export async function start(): Promise<void> {
  // Radix's scroll lock injects a style element and looks for its nonce under this name.
  Object.assign(globalThis, { __webpack_nonce__: cspNonce() })

  installDiagnostics()
  followTheme()
  followDensity()
  watchHistorySteps()
  keepCompositions()
  showReloadToast()
  if (window.location.pathname === '/') preloadLibrary()
  // The page's own frame stands until it comes alive; without it the app says why.
  if (window.location.pathname !== '/auth') await loadFrame().catch(() => undefined)

  const root = document.querySelector('#root')
  if (!root) throw new Error('The page has no root element.')
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
  fetchPartsAhead()
}
