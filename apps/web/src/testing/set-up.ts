import { configure } from '@testing-library/react'

// A busy machine may take seconds to draw; what never comes still fails.
configure({ asyncUtilTimeout: 10_000 })
