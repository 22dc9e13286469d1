import { ChevronRightIcon } from 'lucide-react'
import { type ComponentType, Suspense } from 'react'
import { Link, Redirect, useParams } from 'wouter'
import { FrameStripContext } from '../../components/frame-menu.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { PanelBoundary } from '../../components/panel-boundary.tsx'
import { part } from '../../components/part.tsx'
import { SettingsPanel } from '../../components/settings-panel.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { useMediaQuery } from '../../lib/appearance/media-query.ts'
import { useDocumentTitle } from '../../lib/document-title.ts'
import { useInstance } from '../../lib/instance.ts'
import { useSession } from '../../lib/session/session.tsx'
import { cn } from '../../lib/utils.ts'
import NotFoundPage from './not-found-page.tsx'
import {
  type SectionId,
  type SettingsGroup,
  type SettingsSection,
  settingsGroups,
} from './settings/sections.ts'

const PANELS: Record<SectionId, ComponentType> = {
  profile: part(() => import('../../features/accounts/profile-panel.tsx')),
  password: part(() => import('../../features/accounts/password-panel.tsx')),
  sessions: part(() => import('../../features/accounts/sessions-panel.tsx')),
  appearance: part(() => import('../../features/accounts/appearance-panel.tsx')),
  'default-model': part(() => import('../../features/model-settings/default-model-panel.tsx')),
  'time-zone': part(() => import('../../features/accounts/time-zone-panel.tsx')),
  notifications: part(() => import('../../features/accounts/notifications-panel.tsx')),
  ownership: part(() => import('../../features/records/hand-overs/ownership-panel.tsx')),
  models: part(() => import('../../features/admin/models/models-panel.tsx')),
  people: part(() => import('../../features/admin/people-panel.tsx')),
  groups: part(() => import('../../features/groups/groups-panel.tsx')),
  quotas: part(() => import('../../features/admin/quotas-panel.tsx')),
  organise: part(() => import('../../features/admin/taxonomy/organise-panel.tsx')),
  schedules: part(() => import('../../features/admin/schedules-panel.tsx')),
  backups: part(() => import('../../features/admin/backups/backups-panel.tsx')),
  processes: part(() => import('../../features/admin/processes/processes-panel.tsx')),
  activity: part(() => import('../../features/admin/activity/activity-panel.tsx')),
  examples: part(() => import('../../features/examples/examples-panel.tsx')),
  general: part(() => import('../../features/admin/general-panel.tsx')),
}

/** When the list of all sections fits beside one of them. */
const BESIDE = '(min-width: 64rem)'

/** A section of the settings, with the list of all beside it; where there is no room, the list or a section. */
export default function SettingsRoute() {
  const { id } = useParams<{ id?: string }>()
  const { isAdmin } = useSession()
  const isBeside = useMediaQuery(BESIDE)
  const groups = settingsGroups({ isAdmin })
  if (id === undefined) {
    return isBeside ? <Redirect to="/settings/profile" replace /> : <AllSettings groups={groups} />
  }
  const section = groups.flatMap(({ sections }) => sections).find((one) => one.id === id)
  if (section === undefined) return <NotFoundPage />
  return (
    <FrameStripContext value={null}>
      <div className="flex min-h-0 flex-1">
        {isBeside && <SectionList groups={groups} current={section} />}
        <div className="flex min-w-0 flex-1 flex-col">
          <Section key={section.id} section={section} />
        </div>
      </div>
    </FrameStripContext>
  )
}

function Section({ section: { id, title } }: { section: SettingsSection }) {
  const Panel = PANELS[id]
  const frame = (
    <SettingsPanel title={title}>
      <Skeleton className="h-44" />
    </SettingsPanel>
  )
  return (
    <PanelBoundary title={title}>
      <Suspense fallback={frame}>
        <Panel />
      </Suspense>
    </PanelBoundary>
  )
}

interface SectionListProps {
  groups: readonly SettingsGroup[]
  current: SettingsSection
}

function SectionList({ groups, current }: SectionListProps) {
  return (
    <div className="flex w-50 shrink-0 flex-col border-r border-line bg-bg print:hidden">
      <p className="flex h-14 shrink-0 items-center border-b border-line px-5 font-semibold">Settings</p>
      <nav aria-label="Settings" className="grid flex-1 content-start gap-5 overflow-y-auto px-2.5 py-4">
        {groups.map(({ title, sections }) => (
          <div key={title} className="grid gap-0.5">
            <p id={idOf(title)} className="px-2.5 py-1 text-xs font-medium text-text-3">
              {title}
            </p>
            <ul aria-labelledby={idOf(title)} className="grid gap-0.5">
              {sections.map((section) => (
                <li key={section.id}>
                  <Link
                    href={addressOf(section)}
                    aria-current={section.id === current.id ? 'page' : undefined}
                    className={cn(
                      'flex h-8 items-center rounded-control px-2.5 text-base text-text-2 hover:bg-hover hover:text-text pointer-coarse:h-11',
                      section.id === current.id &&
                        'bg-accent-soft font-medium text-accent-text hover:bg-accent-soft hover:text-accent-text',
                    )}
                  >
                    {section.title}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <Version className="px-5 py-4" />
    </div>
  )
}

function AllSettings({ groups }: Pick<SectionListProps, 'groups'>) {
  useDocumentTitle('Settings')
  return (
    <>
      <PageHeader title="Settings" />
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="grid max-w-[688px] content-start gap-6 px-6 pt-5 pb-16 max-md:px-4">
          {groups.map(({ title, sections }) => (
            <section key={title} aria-labelledby={idOf(title)} className="grid gap-2">
              <h2 id={idOf(title)} className="text-sm font-medium text-text-2">
                {title}
              </h2>
              <ul className="divide-y divide-line overflow-hidden rounded-card border border-line">
                {sections.map((section) => (
                  <li key={section.id}>
                    <Link
                      href={addressOf(section)}
                      className="flex min-h-14 items-center gap-3 px-3.5 py-2 hover:bg-hover"
                    >
                      <span className="grid min-w-0 flex-1">
                        <span className="font-medium">{section.title}</span>
                        <span className="text-sm text-text-2">{section.about}</span>
                      </span>
                      <ChevronRightIcon className="size-4 shrink-0 text-text-3" />
                    </Link>
                  </li>
                ))}
              </ul>
            </section>
          ))}
          <Version />
        </div>
      </div>
    </>
  )
}

function Version({ className }: { className?: string }) {
  const { isAdmin } = useSession()
  const instance = useInstance()
  if (!isAdmin || instance === undefined) return null
  const { version, commit } = instance
  return (
    <footer className={cn('text-xs text-text-3', className)}>
      Catenary {version}
      {commit !== null && (
        <>
          , commit <span className="font-mono">{commit}</span>
        </>
      )}
    </footer>
  )
}

const addressOf = ({ id }: SettingsSection) => `/settings/${id}`
const idOf = (title: string) => `settings-${title.replaceAll(' ', '-').toLowerCase()}`
