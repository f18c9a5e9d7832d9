/** Written by `npm run bench:peers` from benchmarks/peers/results.json: never edit it by hand. */
import type { PeerFigures } from './peer-picture.ts'

export const peerFigures: PeerFigures = {
  "date": "2026-11-16",
  "machine": "2 cores of Intel(R) Xeon(R) Processor",
  "versions": [
    "Turnleaf 0.1.0",
    "airbyte-cdk 7.39.1",
    "dlt 1.31.0",
    "singer-sdk 0.54.9",
    "got 14.6.6",
    "undici 7.30.2",
    "DuckDB of Turnleaf 1.5.5-r.5",
    "DuckDB of dlt 2.0.0",
    "pyarrow 26.0.1",
    "Node 20.20.2",
    "Python 3.11.7"
  ],
  "charts": [
    {
      "id": "read",
      "title": "Records per second",
      "subtitle": "1,000 pages, responses at once",
      "bars": [
        {
          "label": "bare undici loop",
          "value": 86440,
          "isOurs": false
        },
        {
          "label": "got",
          "value": 20540,
          "isOurs": false
        },
        {
          "label": "Turnleaf",
          "value": 18889,
          "isOurs": true
        },
        {
          "label": "dlt",
          "value": 15270,
          "isOurs": false
        },
        {
          "label": "airbyte-cdk",
          "value": 6753,
          "isOurs": false
        },
        {
          "label": "singer-sdk",
          "value": 6616,
          "isOurs": false
        }
      ]
    },
    {
      "id": "latency-100",
      "title": "Records per second",
      "subtitle": "200 pages, responses after 100 ms",
      "bars": [
        {
          "label": "Turnleaf",
          "value": 10656,
          "isOurs": true
        },
        {
          "label": "got",
          "value": 955,
          "isOurs": false
        },
        {
          "label": "dlt",
          "value": 890,
          "isOurs": false
        },
        {
          "label": "airbyte-cdk",
          "value": 890,
          "isOurs": false
        },
        {
          "label": "singer-sdk",
          "value": 807,
          "isOurs": false
        },
        {
          "label": "bare undici loop",
          "value": 791,
          "isOurs": false
        }
      ]
    }
  ],
  "table": {
    "columns": [
      "reader",
      "records/s, responses at once",
      "records/s, responses after 100 ms",
      "records/s into DuckDB",
      "ms from start to first record"
    ],
    "rows": [
      [
        "Turnleaf",
        "18,889",
        "10,656",
        "22,131",
        "536"
      ],
      [
        "bare undici loop",
        "86,440",
        "791",
        "–",
        "357"
      ],
      [
        "got",
        "20,540",
        "955",
        "–",
        "438"
      ],
      [
        "dlt",
        "15,270",
        "890",
        "6,227",
        "1,199"
      ],
      [
        "singer-sdk",
        "6,616",
        "807",
        "–",
        "855"
      ],
      [
        "airbyte-cdk",
        "6,753",
        "890",
        "–",
        "2,807"
      ]
    ]
  }
}
