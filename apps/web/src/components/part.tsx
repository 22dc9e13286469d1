import {
  type ComponentType,
  createElement,
  lazy,
  type ReactNode,
  useContext,
  useEffect,
  useEffectEvent,
  useState,
} from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import { MissingPartError, type PartCode, partCode, toastMissing } from '../lib/parts.ts'
import { dismissToast } from '../lib/toast.ts'
import { ErrorState } from './error-state.tsx'
import { PageSkeleton, PageSkeletonContext } from './frame-menu.tsx'

/** What part of a page a dialog is: where its code is missing, it is closed. */
interface Closable {
  onClose?: () => void
}

interface PartOptions {
  isAhead?: boolean
  isSilent?: boolean
  isPage?: boolean
}

type Part<Props> = ComponentType<Props> & { code: PartCode<unknown> }

/**
 * A component whose code is loaded when it is first shown, or before. If it can't be loaded, the page stays as it is:
 * a dialog leaves a toast with Retry, anything else shows the error in its place.
 */
export function part<Props extends object>(
  fetch: () => Promise<{ default: ComponentType<Props> }>,
  { isAhead = true, isSilent = false, isPage = false }: PartOptions = {},
): Part<Props> {
  const code = partCode({ fetch, isAhead })
  let Newest: ComponentType<Props> = lazy(code.load)
  // Only now, not at the failure itself: a part that has not been shown yet would ask again and again.
  const renew = () => {
    Newest = lazy(code.load)
  }

  function Part(props: Props & Closable) {
    const [Shown, setShown] = useState<ComponentType<Props>>(() => code.here()?.default ?? Newest)
    const retry = () => {
      renew()
      setShown(() => Newest)
    }
    return (
      <ErrorBoundary
        resetKeys={[Shown]}
        fallbackRender={({ error }) => {
          if (!(error instanceof MissingPartError)) throw error
          if (props.onClose)
            return <MissingDialog error={error} onRetry={retry} onGone={renew} onClose={props.onClose} />
          return (
            <AwaitedPart onOnline={retry} onGone={renew}>
              {isPage ? (
                <MissingPage error={error} onRetry={retry} />
              ) : (
                isSilent || <ErrorState className="py-6" error={error} onRetry={retry} />
              )}
            </AwaitedPart>
          )
        }}
      >
        {createElement(Shown, props)}
      </ErrorBoundary>
    )
  }
  return Object.assign(Part, { code })
}

/** What could not be shown, under the page's own title. */
export function MissingPage(props: { error: unknown; isThrown?: boolean; onRetry: () => void }) {
  const isFramed = useContext(PageSkeletonContext) !== null
  return (
    <PageSkeleton>
      <ErrorState
        title="This page could not be shown"
        headingLevel={isFramed ? 2 : 1}
        onBack={() => window.history.back()}
        {...props}
      />
    </PageSkeleton>
  )
}

function AwaitedPart({
  onOnline,
  onGone,
  children,
}: {
  onOnline: () => void
  onGone: () => void
  children: ReactNode
}) {
  const goOn = useEffectEvent(onOnline)
  const leave = useEffectEvent(onGone)
  useEffect(() => {
    const listen = () => goOn()
    window.addEventListener('online', listen)
    return () => {
      window.removeEventListener('online', listen)
      leave()
    }
  }, [])
  return children
}

function MissingDialog({
  error,
  onRetry,
  onGone,
  onClose,
}: {
  error: MissingPartError
  onRetry: () => void
  onGone: () => void
  onClose: () => void
}) {
  const retry = useEffectEvent(onRetry)
  const close = useEffectEvent(onClose)
  const leave = useEffectEvent(onGone)
  useEffect(() => {
    let isOver = false
    const toastId = toastMissing({
      error,
      onRetry() {
        isOver = true
        retry()
      },
      // A dialog must not open by itself once the person has gone on to something else.
      onGone: () => isOver || close(),
    })
    return () => {
      isOver = true
      dismissToast(toastId)
      leave()
    }
  }, [error])
  return null
}
