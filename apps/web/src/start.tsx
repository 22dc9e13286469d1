import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { preloadLibrary } from './app/router.tsx'
import { followDensity } from './lib/density.ts'
import { installDiagnostics } from './lib/diagnostics.ts'
import { watchHistorySteps } from './lib/history-steps.ts'
import { reloadWhenOutdated, showReloadToast } from './lib/reload.ts'
import { followTheme } from './lib/theme.ts'
import { cspNonce } from './lib/utils.ts'

/** Shows the app. Called, not run by being loaded: another page's modules may lie in the same chunk. */
export function start(): void {
  // Radix's scroll lock injects a style element and looks for its nonce under this name.
  Object.assign(globalThis, { __webpack_nonce__: cspNonce() })

  installDiagnostics()
  reloadWhenOutdated()
  followTheme()
  followDensity()
  watchHistorySteps()
  showReloadToast()
  if (window.location.pathname === '/') preloadLibrary()

  const root = document.querySelector('#root')
  if (!root) throw new Error('The page has no root element.')
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
}
