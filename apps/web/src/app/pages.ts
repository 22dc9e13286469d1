import type { TagKind } from '@catenary/contracts'
import {
  BookOpenIcon,
  BracesIcon,
  ChartNoAxesColumnIcon,
  InboxIcon,
  LinkIcon,
  type LucideIcon,
  MessageSquareTextIcon,
  PlugIcon,
  SettingsIcon,
} from 'lucide-react'
import type { ComponentType, ReactNode } from 'react'
import type { GoToKeys } from '../lib/keyboard/shortcuts.ts'
import { FirstVisit } from './routes/first-visit.tsx'
import { ProtectedRoute } from './routes/protected-route.tsx'

export interface Page {
  path: string
  /** The title that stands there before the page does, where it is not its section's. */
  name?: string
  purpose?: string
  /** A form that smaller ones expand into: fetched before it is needed. */
  isAhead?: boolean
  load: () => Promise<{ default: ComponentType }>
  Guard?: ComponentType<{ purpose?: string | undefined; children: ReactNode }>
}

export interface Section {
  label: string
  Icon: LucideIcon
  shortcut: GoToKeys
  keywords?: string
  kind?: TagKind
  /** Beside it the sidebar says how many runs wait for the person. */
  isWaiting?: true
  /** The sidebar leads there from its foot. */
  isApart?: true
  pages: readonly [Page, ...Page[]]
}

export const LIBRARY: Page = {
  path: '/',
  load: () => import('./routes/library-route.tsx'),
  Guard: FirstVisit,
}

const loadGuide = () => import('./routes/guide-route.tsx')
const loadSettings = () => import('./routes/settings-route.tsx')

export const SECTIONS: readonly [Section, ...Section[]] = [
  {
    label: 'Prompts',
    Icon: MessageSquareTextIcon,
    shortcut: 'g p',
    keywords: 'library home',
    kind: 'prompt',
    pages: [
      LIBRARY,
      {
        path: '/execute/:id',
        name: 'Execute Prompt',
        purpose: 'run a prompt',
        load: () => import('./routes/execute-route.tsx'),
        Guard: ProtectedRoute,
      },
      {
        path: '/edit/:id',
        name: 'Edit Prompt',
        purpose: 'edit a prompt',
        isAhead: true,
        load: () => import('./routes/editor-route.tsx'),
        Guard: ProtectedRoute,
      },
      {
        path: '/evaluations/:id',
        name: 'Evaluation',
        purpose: 'see an evaluation',
        load: () => import('./routes/evaluation-route.tsx'),
        Guard: ProtectedRoute,
      },
      {
        path: '/prompts/:id/tests',
        name: 'Tests',
        purpose: 'see a prompt’s tests',
        load: () => import('./routes/prompt-tests-route.tsx'),
        Guard: ProtectedRoute,
      },
    ],
  },
  {
    label: 'Variables',
    Icon: BracesIcon,
    shortcut: 'g v',
    kind: 'variable',
    pages: [{ path: '/variables', load: () => import('./routes/variables-route.tsx') }],
  },
  {
    label: 'Chains',
    Icon: LinkIcon,
    shortcut: 'g c',
    kind: 'chain',
    pages: [
      { path: '/chains', load: () => import('./routes/chains-route.tsx') },
      { path: '/chains/:id', name: 'Chain', load: () => import('./routes/chain-route.tsx') },
      {
        path: '/chains/:id/scheduled',
        name: 'Scheduled Runs',
        purpose: 'see a chain’s schedules',
        load: () => import('./routes/scheduled-route.tsx'),
        Guard: ProtectedRoute,
      },
      {
        path: '/chains/:id/tests',
        name: 'Tests',
        purpose: 'see a chain’s tests',
        load: () => import('./routes/chain-tests-route.tsx'),
        Guard: ProtectedRoute,
      },
    ],
  },
  {
    label: 'Waiting for you',
    Icon: InboxIcon,
    shortcut: 'g w',
    keywords: 'asks approve approvals answer inbox questions reject decide',
    isWaiting: true,
    pages: [
      {
        path: '/asks',
        purpose: 'see what waits for you',
        load: () => import('./routes/asks-route.tsx'),
        Guard: ProtectedRoute,
      },
      {
        path: '/asks/:id',
        purpose: 'answer a question',
        load: () => import('./routes/ask-route.tsx'),
        Guard: ProtectedRoute,
      },
    ],
  },
  {
    label: 'Connect',
    Icon: PlugIcon,
    shortcut: 'g t',
    keywords:
      'api access tokens mcp claude code codex cursor vs code openai anthropic ai sdk langchain langfuse open webui curl fetch prompt server agents skills webhooks',
    pages: [
      {
        path: '/connect',
        purpose: 'connect programs',
        load: () => import('./routes/connect-route.tsx'),
        Guard: ProtectedRoute,
      },
      { path: '/api-access', load: () => import('./routes/api-access-route.tsx') },
    ],
  },
  {
    label: 'Usage',
    Icon: ChartNoAxesColumnIcon,
    shortcut: 'g u',
    keywords: 'cost failed failures tokens budget money runs figures statistics',
    pages: [
      {
        path: '/usage',
        purpose: 'see your usage',
        load: () => import('./routes/usage-route.tsx'),
        Guard: ProtectedRoute,
      },
      {
        path: '/usage/runs',
        name: 'Runs',
        purpose: 'see your runs',
        load: () => import('./routes/usage-runs-route.tsx'),
        Guard: ProtectedRoute,
      },
    ],
  },
  {
    label: 'Guide',
    Icon: BookOpenIcon,
    shortcut: 'g d',
    keywords: 'docs documentation help manual how learn',
    pages: [
      { path: '/docs', load: loadGuide },
      { path: '/docs/:id', load: loadGuide },
    ],
  },
  {
    label: 'Settings',
    Icon: SettingsIcon,
    shortcut: 'g s',
    keywords: 'admin preferences account',
    isApart: true,
    pages: [
      {
        path: '/settings',
        purpose: 'change settings',
        load: loadSettings,
        Guard: ProtectedRoute,
      },
      {
        path: '/settings/:id',
        purpose: 'change settings',
        load: loadSettings,
        Guard: ProtectedRoute,
      },
    ],
  },
]

export function pageAt(pathname: string): Page | undefined {
  const isAt = ({ path }: Page) => new RegExp(`^${path.replace(':id', '[^/]+')}/?$`).test(pathname)
  return SECTIONS.flatMap(({ pages }) => pages).find(isAt)
}

export function sectionAt(address: string): Section {
  const owns = ({ pages }: Section) => pages.some(({ path }) => firstOf(path) === firstOf(address))
  return SECTIONS.find(owns) ?? SECTIONS[0]
}

function firstOf(path: string): string | undefined {
  return path.split('/')[1]
}
