import { Link } from 'wouter'
import { BrandMark } from '../../components/brand.tsx'
import { ThemeButton } from '../../components/theme-button.tsx'
import { Button } from '../../components/ui/button.tsx'
import { useCanRegister, useInstance } from '../../lib/instance.ts'
import { CatenaryCurve } from './catenary-curve.tsx'

export interface AuthPageProps {
  /** What the guest wanted to do, such as 'run a prompt'. */
  purpose?: string | undefined
  onLogIn: () => void
  onRegister: () => void
}

/** The landing page: log in, register if open, or look around as a guest. */
export function AuthPage({ purpose, onLogIn, onRegister }: AuthPageProps) {
  const instance = useInstance()
  const canRegister = useCanRegister()
  return (
    <main className="relative grid min-h-dvh lg:grid-cols-[61fr_67fr]">
      <ThemeButton className="absolute top-3 right-3" />
      <div className="grid grid-cols-[minmax(0,320px)] content-center justify-center px-6 py-12">
        <div>
          <BrandMark className="size-10" />
          <h1 className="mt-6 text-2xl font-semibold">Catenary</h1>
          <p className="mt-2 text-base text-text-2">AI Prompt Management Platform</p>
          {purpose && (
            <p
              role="status"
              className="mt-4 rounded-control bg-accent-soft px-3 py-2 text-sm text-accent-text"
            >
              Log in to {purpose}. You then come back to that page.
            </p>
          )}
          <div className="mt-6 grid gap-2.5">
            <Button size="lg" onClick={onLogIn}>
              Log In
            </Button>
            {canRegister && (
              <Button size="lg" variant="secondary" onClick={onRegister}>
                Create Account
              </Button>
            )}
            <Button size="lg" variant="ghost" asChild>
              <Link href="/">Continue as Guest</Link>
            </Button>
          </div>
          {!canRegister && (
            <p className="mt-4 text-center text-sm text-text-3">New accounts are made by the admin here.</p>
          )}
        </div>
      </div>
      <div className="hidden place-items-center border-l border-line bg-bg p-12 lg:grid">
        <CatenaryCurve mails={instance?.mail === true} className="w-full max-w-[536px]" />
      </div>
    </main>
  )
}
