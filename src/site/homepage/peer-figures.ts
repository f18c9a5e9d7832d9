/** Written by `npm run bench:peers` from benchmarks/peers/results.json: never edit it by hand. */
import type { PeerFigures } from './peer-picture.ts'

export const peerFigures: PeerFigures = {
  "date": "2026-11-17",
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
          "value": 162415,
          "isOurs": false
        },
        {
          "label": "Turnleaf",
          "value": 129285,
          "isOurs": true
        },
        {
          "label": "got",
          "value": 34940,
          "isOurs": false
        },
        {
          "label": "dlt",
          "value": 32663,
          "isOurs": false
        },
        {
          "label": "airbyte-cdk",
          "value": 14573,
          "isOurs": false
        },
        {
          "label": "singer-sdk",
          "value": 11725,
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
          "value": 11761,
          "isOurs": true
        },
        {
          "label": "bare undici loop",
          "value": 978,
          "isOurs": false
        },
        {
          "label": "dlt",
          "value": 910,
          "isOurs": false
        },
        {
          "label": "got",
          "value": 877,
          "isOurs": false
        },
        {
          "label": "airbyte-cdk",
          "value": 870,
          "isOurs": false
        },
        {
          "label": "singer-sdk",
          "value": 841,
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
        "129,285",
        "11,761",
        "39,775",
        "247"
      ],
      [
        "bare undici loop",
        "162,415",
        "978",
        "–",
        "115"
      ],
      [
        "got",
        "34,940",
        "877",
        "–",
        "169"
      ],
      [
        "dlt",
        "32,663",
        "910",
        "3,225",
        "499"
      ],
      [
        "dlt, told to load Parquet files",
        "–",
        "–",
        "11,407",
        "–"
      ],
      [
        "singer-sdk",
        "11,725",
        "841",
        "–",
        "385"
      ],
      [
        "airbyte-cdk",
        "14,573",
        "870",
        "–",
        "1,434"
      ]
    ]
  }
}
