/** Finding out how the pages of a stream follow each other, by asking its API. */
import type { DetectionEvent } from '../../server/wire/detection.ts'
import { createWork } from '../proofs/runs.ts'

export const useDetection = createWork<DetectionEvent>('/v1/detections')
