import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './styles.css'
import { PanelBoundary } from './components/panel-boundary.tsx'
import { Toaster } from './components/toaster.tsx'
import { TestDashboard } from './features/admin/test-dashboard.tsx'
import { followTheme } from './lib/appearance/theme.ts'
import { installDiagnostics } from './lib/diagnostics.ts'
import { createQueryClient } from './lib/query-client.ts'

installDiagnostics()
followTheme()

const root = document.querySelector('#root')
if (!root) throw new Error('The page has no root element.')
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={createQueryClient()}>
      <PanelBoundary title="Test Dashboard">
        <TestDashboard />
      </PanelBoundary>
      <Toaster />
    </QueryClientProvider>
  </StrictMode>,
)
